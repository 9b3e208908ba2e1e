// A mesh as opaque matter: normal, depth and colour. Two-sided.
in vec3 view_position;
in vec3 world_normal;
uniform vec3 color;
uniform float gloss;
layout(location = 0) out vec4 facing;  // xyz: world normal, w: depth
layout(location = 1) out vec4 paint;   // rgb: square root of the colour, a: gloss

void main() {
  vec3 flat_normal = cross(dFdx(view_position), dFdy(view_position));
  vec3 n = dot(world_normal, world_normal) > 0.25 ? normalize(world_normal)
                                                  : normalize(to_world(flat_normal));
  vec3 ray = to_world(parallel ? vec3(0.0, 0.0, 1.0) : view_position);
  if (dot(n, ray) > 0.0) n = -n;
  facing = vec4(n, view_position.z);
  paint = vec4(sqrt(color), gloss);
}
