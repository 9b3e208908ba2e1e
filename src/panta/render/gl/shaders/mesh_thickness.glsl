// Depths of back faces minus those of front faces add up to how much matter a ray goes through.
// Behind solids nothing is seen of it: both ends are cut there.
in vec3 view_position;
in vec3 world_normal;
layout(binding = 0) uniform sampler2D solids;
uniform bool hidden_by_solids;
uniform vec4 share;  // what is summed for a metre of matter
layout(location = 0) out vec4 thickness;
layout(location = 1) out float depth;

void main() {
  float z = view_position.z;
  if (hidden_by_solids) z = min(z, texelFetch(solids, ivec2(gl_FragCoord.xy), 0).w);
  float stretch = parallel ? 1.0 : length(view_position) / view_position.z;
  thickness = share * (gl_FrontFacing ? -z : z) * stretch;
  depth = view_position.z;
}
