// Parts behind surfaces are drawn faintly.
const int most_layers = 6;
in float z;
noperspective in float off;
uniform float line_pixels;
uniform float tolerance;  // m
uniform int layers;
layout(binding = 1) uniform sampler2D solids;
layout(binding = 2) uniform sampler2D facings[most_layers];
layout(location = 0) out vec4 color;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float cover = clamp(0.5 * line_pixels + 0.5 - abs(off), 0.0, 1.0);
  float seen = texelFetch(solids, pixel, 0).w < z - tolerance ? 0.12 : 1.0;
  for (int k = 0; k < most_layers; ++k)
    if (k < layers && texelFetch(facings[k], pixel, 0).w < z - tolerance) seen = min(seen, 0.35);
  float opacity = 0.62 * cover * seen;
  color = vec4(vec3(0.16, 0.18, 0.21) * opacity, opacity);
}
