// A particle as a sphere with an exact ray intersection; with a normal, as a disc.
flat in vec3 center;
flat in vec3 particle_color;
flat in vec3 particle_normal;
flat in float own_radius;
uniform float gloss;
layout(location = 0) out vec4 facing;
layout(location = 1) out vec4 paint;

void main() {
  vec2 plane = picture_plane(gl_FragCoord.xy);
  vec3 origin = parallel ? vec3(plane, 0.0) : vec3(0.0);
  vec3 ray = normalize(parallel ? vec3(0.0, 0.0, 1.0) : vec3(plane, 1.0));
  vec3 hit, n;
  if (dot(particle_normal, particle_normal) > 0.0) {
    n = vec3(dot(particle_normal, right), dot(particle_normal, up), dot(particle_normal, forward));
    n = normalize(n);
    float across = dot(n, ray);
    if (abs(across) < 0.05) discard;
    hit = origin + ray * (dot(n, center - origin) / across);
    if (distance(hit, center) > own_radius || hit.z <= 0.0) discard;
    if (across > 0.0) n = -n;
  } else {
    vec3 to_center = center - origin;
    float along = dot(to_center, ray);
    vec3 off = to_center - ray * along;
    float root = own_radius * own_radius - dot(off, off);
    if (root < 0.0) discard;
    hit = origin + ray * (along - sqrt(root));
    n = (hit - center) / own_radius;
  }
  facing = vec4(to_world(n), hit.z);
  paint = vec4(sqrt(particle_color), gloss);
  gl_FragDepth = buffer_depth(hit.z);
}
