// The sum of depths of back faces minus depths of front faces is the path of a ray through the
// matter. Depths are clamped to those of the solids, which hide the rest.
in vec3 view_position;
in vec3 world_normal;
layout(binding = 0) uniform sampler2D solids;
uniform bool hidden_by_solids;
uniform vec4 share;  // channels that are summed per metre of matter
layout(location = 0) out vec4 thickness;
layout(location = 1) out float depth;

void main() {
  float z = view_position.z;
  if (hidden_by_solids) z = min(z, texelFetch(solids, ivec2(gl_FragCoord.xy), 0).w);
  float stretch = parallel ? 1.0 : length(view_position) / view_position.z;
  thickness = share * (gl_FrontFacing ? -z : z) * stretch;
  depth = view_position.z;
}
