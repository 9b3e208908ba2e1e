#version 450 core
// Included in every shader: the view, and the light around the picture. In view space x points to
// the right, y up, z into the picture; depth means z. The depth buffer runs from 1 (near) to 0
// (far).
const float far_away = 1e30;
const float pi = 3.14159265;

uniform vec3 eye, right, up, forward;
uniform vec2 focal;  // half pictures per unit at depth 1; if parallel, at all depths
uniform vec2 frame_size;  // pixels
uniform float nearest;  // the depth buffer contains nearest / z; if parallel 1 - nearest * z
uniform bool parallel;

vec3 to_view(vec3 p) {
  vec3 d = p - eye;
  return vec3(dot(d, right), dot(d, up), dot(d, forward));
}
vec3 to_world(vec3 direction) {
  return right * direction.x + up * direction.y + forward * direction.z;
}
float buffer_depth(float z) { return parallel ? 1.0 - nearest * z : nearest / z; }
vec4 to_clip(vec3 v) {
  return parallel ? vec4(v.xy * focal, buffer_depth(v.z), 1.0) : vec4(v.xy * focal, nearest, v.z);
}
float pixels_per_unit(float z) {
  return 0.5 * frame_size.y * focal.y / (parallel ? 1.0 : z);
}
vec2 picture_plane(vec2 pixel) { return (2.0 * pixel / frame_size - 1.0) / focal; }
vec3 view_at(vec2 pixel, float z) {
  vec2 plane = picture_plane(pixel);
  return vec3(parallel ? plane : plane * z, z);
}
vec2 pixel_of(vec3 v) {
  vec2 clip = v.xy * focal / (parallel ? 1.0 : v.z);
  return (0.5 + 0.5 * clip) * frame_size;
}
// Unit vector from the eye through a pixel, in view space.
vec3 look_along(vec2 pixel) {
  return parallel ? vec3(0.0, 0.0, 1.0) : normalize(vec3(picture_plane(pixel), 1.0));
}

// Blue-noise-like number in [0, 1) per pixel (Jimenez 2014).
float pixel_noise(vec2 pixel) {
  return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}
// Point k of n on a spiral that covers the unit disc evenly.
vec2 spiral(int k, int n, float turn) {
  float angle = 2.3999632 * float(k) + 2.0 * pi * turn;
  return sqrt((float(k) + 0.5) / float(n)) * vec2(cos(angle), sin(angle));
}

// Light around the picture: the background, and the light for reflections.
const vec3 key_light = vec3(1.0, 0.965, 0.91);
const vec3 horizon_light = vec3(0.60, 0.65, 0.70);
const vec3 backdrop_light = vec3(0.24, 0.31, 0.40);  // above the horizon

// A sky that is brightest towards the light, and the darker ground.
vec3 sky_mirror(vec3 direction, vec3 towards_light) {
  float y = direction.y;
  vec3 above = mix(vec3(0.66, 0.72, 0.79), vec3(0.40, 0.53, 0.70), smoothstep(0.0, 0.5, y));
  above = mix(above, vec3(0.98, 1.0, 1.0), smoothstep(0.45, 0.95, dot(direction, towards_light)));
  return mix(vec3(0.30, 0.31, 0.32), above, smoothstep(-0.10, 0.06, y));
}
// Schlick's form of the Fresnel reflectance.
float fresnel(float cosine, float index) {
  float f0 = (index - 1.0) / (index + 1.0);
  f0 *= f0;
  float g = 1.0 - clamp(cosine, 0.0, 1.0);
  float g2 = g * g;
  return f0 + (1.0 - f0) * g2 * g2 * g;
}
