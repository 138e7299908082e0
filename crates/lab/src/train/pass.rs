//! Forward and backward pass of one position through the layers after the first.

use multiversion::multiversion;

use super::weights::{DenseLayer, Weights};
use crate::eval::simd::HIDDEN;

/// Buffers for one position's forward and backward pass.
pub(super) struct Pass {
    /// Inputs of each layer.
    active: Vec<Vec<f32>>,
    /// Outputs of each layer; in the backward pass the gradient with respect to them.
    sums: Vec<Vec<f32>>,
    /// Gradient with respect to a layer's inputs.
    back: Vec<f32>,
}

impl Pass {
    pub(super) fn new(weights: &Weights) -> Self {
        let zeros = |size: fn(&DenseLayer) -> usize| {
            let layers = weights.layers.iter();
            layers.map(|l| vec![0.0; size(l)]).collect::<Vec<_>>()
        };
        Self {
            active: zeros(|l| l.inputs),
            sums: zeros(|l| l.outputs),
            back: vec![0.0; HIDDEN],
        }
    }

    /// Computes the outputs for a sum of rows.
    pub(super) fn forward(
        &mut self,
        weights: &Weights,
        head: usize,
        sum: &[f32; HIDDEN],
    ) -> &mut [f32] {
        activation(sum, &mut self.active[0]);
        for (i, layer) in weights.layers.iter().enumerate() {
            if i > 0 {
                activation(&self.sums[i - 1], &mut self.active[i]);
            }
            outputs(layer, head, &self.active[i], &mut self.sums[i]);
        }
        self.sums.last_mut().expect("there is an output layer")
    }

    /// Given the gradient of the outputs, adds the position's gradient to that of the head's layers. Replaces its sum
    /// with the gradient with respect to it.
    pub(super) fn backward(
        &mut self,
        weights: &Weights,
        gradient: &mut [DenseLayer],
        head: usize,
        sum: &mut [f32; HIDDEN],
    ) {
        for (i, layer) in weights.layers.iter().enumerate().rev() {
            let back = &mut self.back[..layer.inputs];
            let (before, here) = self.sums.split_at_mut(i);
            backward(
                layer,
                &mut gradient[i],
                head,
                &here[0],
                &self.active[i],
                back,
            );
            let of = before.last_mut().map_or(&mut sum[..], |s| &mut s[..]);
            for (s, b) in of.iter_mut().zip(back) {
                *s = if *s > 0.0 && *s < 1.0 {
                    *b * 2.0 * *s
                } else {
                    0.0
                };
            }
        }
    }
}

/// Squared clipped activation.
fn activation(sums: &[f32], active: &mut [f32]) {
    for (a, s) in active.iter_mut().zip(sums) {
        let c = s.clamp(0.0, 1.0);
        *a = c * c;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn outputs(layer: &DenseLayer, head: usize, active: &[f32], outputs: &mut [f32]) {
    let first = head * layer.outputs;
    for (o, output) in outputs.iter_mut().enumerate() {
        // Sixteen partial sums, to avoid one serial chain of additions.
        let mut lanes = [0.0f32; 16];
        let w = &layer.weights[(first + o) * layer.inputs..][..layer.inputs];
        for (a, w) in active.chunks_exact(16).zip(w.chunks_exact(16)) {
            for ((l, a), w) in lanes.iter_mut().zip(a).zip(w) {
                *l += a * w;
            }
        }
        *output = lanes.iter().sum::<f32>() + layer.bias[first + o];
    }
}

/// Adds one position's gradient to that of the head's layer. Writes the gradient of the layer's inputs to `back`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn backward(
    layer: &DenseLayer,
    gradient: &mut DenseLayer,
    head: usize,
    slopes: &[f32],
    active: &[f32],
    back: &mut [f32],
) {
    back.fill(0.0);
    let first = head * layer.outputs;
    for (o, &slope) in slopes.iter().enumerate() {
        if slope == 0.0 {
            continue;
        }
        gradient.bias[o] += slope;
        let at = (first + o) * layer.inputs;
        for (b, w) in back.iter_mut().zip(&layer.weights[at..at + layer.inputs]) {
            *b += slope * w;
        }
        let g = &mut gradient.weights[o * layer.inputs..][..layer.inputs];
        for (g, a) in g.iter_mut().zip(active) {
            *g += slope * a;
        }
    }
}
