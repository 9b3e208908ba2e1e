// A segment as a strip of constant width in the picture, one pixel wider for anti-aliasing.
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
uniform float line_pixels;
out float z;
noperspective out float off;  // pixels from the middle

void main() {
  vec3 a = to_view(from), b = to_view(to);
  float least = parallel ? -1e30 : 4.0 * nearest;
  if (a.z < least && b.z > least) a = mix(a, b, (least - a.z) / (b.z - a.z));
  if (b.z < least && a.z > least) b = mix(b, a, (least - b.z) / (a.z - b.z));
  vec2 pa = pixel_of(a), pb = pixel_of(b);
  vec2 along = pb - pa;
  along = length(along) > 1e-4 ? normalize(along) : vec2(1.0, 0.0);
  vec3 end = gl_VertexID < 2 ? a : b;
  float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  float reach = 0.5 * line_pixels + 1.0;
  vec2 pixel = (gl_VertexID < 2 ? pa : pb) + side * reach * vec2(-along.y, along.x);
  z = end.z;
  off = side * reach;
  bool hidden = a.z < least && b.z < least;
  vec2 clip = 2.0 * pixel / frame_size - 1.0;
  gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0)
                       : vec4(clip * (parallel ? 1.0 : end.z), 0.0, parallel ? 1.0 : end.z);
}
