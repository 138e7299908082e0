# A formula for a tap. REPOSITORY and the checksums come from the release.
class Luckless < Formula
  desc "Backgammon analysis workstation for the terminal"
  homepage "REPOSITORY"
  url "REPOSITORY/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "SHA256_OF_THE_SOURCE"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"luckless", "completions")
    system bin/"luckless", "man", "--all", man1
    pkgshare.install "sample_matches", "themes"
  end

  test do
    assert_match "013179a7", shell_output("#{bin}/luckless bench --signature")
  end
end
