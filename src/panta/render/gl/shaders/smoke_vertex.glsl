// A puff of smoke; its light is reduced by the smoke before it.
layout(location = 0) in vec3 position;
layout(location = 1) in float radius;
uniform vec3 light_eye, light_right, light_up, light_forward;
uniform float light_focal;
uniform float span;  // m, extent of the smoke along the light
uniform bool shadowed;
layout(binding = 1) uniform sampler2D first_depths;
layout(binding = 2) uniform sampler2D optical_depths;
flat out vec3 center;
flat out float pixel_radius;
flat out float lit;

// Optical depths are known at these fractions of the span and interpolated between them.
const vec4 shares = vec4(0.125, 0.3, 0.6, 1.0);

float faded() {
  vec3 d = position - light_eye;
  vec2 uv = 0.5 + 0.5 * light_focal * vec2(dot(d, light_right), dot(d, light_up));
  float s = (dot(d, light_forward) - textureLod(first_depths, uv, 0.0).x) / span;
  vec4 sums = textureLod(optical_depths, uv, 0.0);
  float before = 0.0, from = 0.0;
  for (int k = 0; k < 4; ++k) {
    float t = clamp((s - from) / (shares[k] - from), 0.0, 1.0);
    if (s < shares[k]) return mix(before, sums[k], t);
    before = sums[k];
    from = shares[k];
  }
  return before;
}

void main() {
  center = to_view(position);
  pixel_radius = max(radius * pixels_per_unit(max(center.z, 1e-6)), 0.7);
  lit = shadowed ? exp(-faded()) : 1.0;
  bool hidden = !(center.z > 2.0 * nearest);
  gl_PointSize = 2.0 * pixel_radius;
  gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : to_clip(center);
}
