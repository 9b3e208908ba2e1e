// Thickness of liquid that a particle adds along the pixel's ray: its volume spread over a disc,
// more in the middle, so that the sum over all particles is the liquid's thickness. Parts behind
// solids do not count.
flat in vec3 center;
flat in float pixel_radius;
flat in float own_radius;
flat in float gathered;
uniform float volume;
uniform vec4 share;  // channels that are summed per metre of liquid
uniform bool hidden_by_solids;
uniform vec2 solids_per_pixel;  // pixels of the solids' picture per pixel of this one
layout(binding = 0) uniform sampler2D solids;
layout(location = 0) out vec4 thickness;
layout(location = 1) out float depth;

void main() {
  vec2 off = (gl_FragCoord.xy - pixel_of(center)) / pixel_radius;
  float across = dot(off, off);
  if (across > 1.0) discard;
  if (hidden_by_solids &&
      texelFetch(solids, ivec2(gl_FragCoord.xy * solids_per_pixel), 0).w < center.z)
    discard;
  // The disc's radius in metres as drawn; the profile 2 (1 - r^2) / (pi R^2) has the integral one.
  float drawn = pixel_radius / pixels_per_unit(center.z);
  thickness = share * gathered * volume * 2.0 * (1.0 - across) / (pi * drawn * drawn);
  depth = center.z;
}
