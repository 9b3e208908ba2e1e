// Reflections on the faces of clear solids except the first face of a pixel: faces behind the
// liquid are blended before the liquid, faces in front after it.
const int most_layers = 6;
in vec3 view_position;
in vec3 world_normal;
layout(binding = 1) uniform sampler2D solids;
layout(binding = 2) uniform sampler2D facings[most_layers];
uniform int layers;
uniform bool is_glass[most_layers];
uniform bool before_liquid;
uniform vec3 towards_light;
layout(location = 0) out vec4 color;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float z = view_position.z, liquid = far_away, glass = far_away;
  if (z > texelFetch(solids, pixel, 0).w) discard;
  for (int k = 0; k < most_layers; ++k) {
    if (k >= layers) continue;
    float there = texelFetch(facings[k], pixel, 0).w;
    if (is_glass[k])
      glass = min(glass, there);
    else
      liquid = min(liquid, there);
  }
  if ((z < liquid && liquid < far_away) != before_liquid || z <= glass * 1.0001) discard;
  vec3 ray = to_world(parallel ? vec3(0.0, 0.0, 1.0) : normalize(view_position));
  vec3 n = normalize(world_normal);
  if (dot(n, ray) > 0.0) n = -n;
  vec3 mirrored = reflect(ray, n);
  float mirror = 0.55 * fresnel(dot(n, -ray), 1.5);
  float glint = pow(max(0.0, dot(mirrored, towards_light)), 200.0);
  color = vec4(sky_mirror(mirrored, towards_light) * mirror + key_light * glint * 0.8, mirror);
}
