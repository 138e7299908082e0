{
  description = "Backgammon analysis workstation for the terminal";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      version = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).workspace.package.version;
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "luckless";
          inherit version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          # The tests roll thousands of games out; the signature says that results are the same.
          checkPhase = ''
            test "$(target/*/release/luckless bench --signature)" = 013179a7
          '';
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = pkgs.lib.optionalString (pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform) ''
            installShellCompletion --cmd luckless \
              --bash <($out/bin/luckless completions bash) \
              --zsh <($out/bin/luckless completions zsh) \
              --fish <($out/bin/luckless completions fish)
            $out/bin/luckless man --all man
            installManPage man/*.1
            install -Dm644 -t $out/share/luckless/sample_matches sample_matches/*
            install -Dm644 -t $out/share/luckless/themes themes/*
          '';
          meta = {
            description = "Backgammon analysis workstation for the terminal";
            license = with pkgs.lib.licenses; [
              mit
              asl20
            ];
            mainProgram = "luckless";
          };
        };
      });
    };
}
