// Blends one surface of clear matter over the picture: of the layers of a pixel, the one with
// `rank` layers behind it. Light from behind is refracted at the surface and absorbed on its way;
// the surface reflects the sky, most at grazing angles.
const int most_layers = 6;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D solids;
layout(binding = 2) uniform sampler2D facings[most_layers];
layout(binding = 8) uniform sampler2D thicknesses[most_layers];
uniform int layers, rank;
uniform vec3 absorption[most_layers];
uniform vec3 paint[most_layers];  // colour of scattered light; of opaque liquid its colour
uniform float scatter[most_layers];  // fraction of light that its inside scatters back, 0: none
uniform float thinnest[most_layers];  // m
uniform float index[most_layers];
uniform float rim[most_layers];  // darkness at grazing angles
uniform bool opaque[most_layers];
uniform vec3 towards_light;
uniform float extent;  // m, of the picture's content
uniform float behind_share[most_layers];  // part of the path behind it where the ray stays bent
layout(location = 0) out vec3 color;

struct Layer {
  vec4 facing;
  float thickness;
  int k;
};

float thickness_at(int layer, vec2 uv) {
  float found = 0.0;
  for (int k = 0; k < most_layers; ++k)
    if (k == layer) found = textureLod(thicknesses[k], uv, 0.0).x;
  return found;
}

// k < 0 if the pixel has fewer layers.
Layer find_layer() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float limit = min(texelFetch(solids, pixel, 0).w, 0.5 * far_away);
  float z[most_layers];
  for (int k = 0; k < most_layers; ++k)
    z[k] = k < layers ? texelFetch(facings[k], pixel, 0).w : far_away;
  Layer found = Layer(vec4(0.0), 0.0, -1);
  for (int k = 0; k < most_layers; ++k) {
    if (z[k] >= limit) continue;
    int behind = 0;
    for (int j = 0; j < most_layers; ++j)
      if (z[j] < limit && (z[j] > z[k] || (z[j] == z[k] && j < k))) ++behind;
    if (behind != rank) continue;
    float way = textureLod(thicknesses[k], gl_FragCoord.xy / frame_size, 0.0).x;
    found = Layer(texelFetch(facings[k], pixel, 0), max(way, thinnest[k]), k);
  }
  return found;
}

// End of the refracted ray; nearer to the straight one if a surface in front hides that end.
vec2 bent_pixel(Layer layer, vec3 ray, vec3 n) {
  vec3 bent = refract(ray, n, 1.0 / index[layer.k]);
  vec3 bent_view = vec3(dot(bent, right), dot(bent, up), dot(bent, forward));
  float gap = min(texelFetch(solids, ivec2(gl_FragCoord.xy), 0).w - layer.facing.w, extent);
  vec3 end = view_at(gl_FragCoord.xy, layer.facing.w) +
             bent_view * (layer.thickness + behind_share[layer.k] * gap);
  vec2 shift = pixel_of(end) - gl_FragCoord.xy;
  shift /= 1.0 + length(shift) / (0.05 * frame_size.y);
  for (int attempt = 0; attempt < 3; ++attempt) {
    vec2 there = clamp(gl_FragCoord.xy + shift, vec2(1.0), frame_size - 1.0);
    if (texelFetch(solids, ivec2(there), 0).w >= layer.facing.w) return there;
    shift *= 0.4;
  }
  return gl_FragCoord.xy;
}

void main() {
  Layer layer = find_layer();
  color = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
  if (layer.k < 0) return;
  int k = layer.k;
  vec3 ray = to_world(look_along(gl_FragCoord.xy)), n = normalize(layer.facing.xyz);
  float cover = length(layer.facing.xyz);
  vec3 uncovered = color;
  float cosine = dot(n, -ray);
  if (cosine < 0.02) n = normalize(n - ray * (cosine - 0.02)), cosine = 0.02;
  vec3 mirrored = reflect(ray, n);
  float glint = pow(max(0.0, dot(mirrored, towards_light)), 350.0);
  float sheen = pow(max(0.0, dot(mirrored, towards_light)), 24.0);
  vec3 sky = mix(vec3(0.36, 0.37, 0.38), vec3(0.62, 0.67, 0.74), 0.5 + 0.5 * n.y);
  float facing_light = max(0.0, (dot(n, towards_light) + 0.25) / 1.25);
  vec3 scattered = paint[k] * (sky + 0.75 * key_light * facing_light);
  vec3 body = scattered;
  if (!opaque[k]) {
    vec2 end = bent_pixel(layer, ray, n) / frame_size;
    // The refracted ray differs from the straight one: its path is between those of both pixels.
    float way = 0.5 * (layer.thickness + max(layer.thickness, thickness_at(k, end)));
    vec3 passes = exp(-absorption[k] * way);
    float dense = dot(vec3(1.0) - passes, vec3(1.0 / 3.0));
    vec3 veiled = scattered * (scatter[k] * (0.4 + 0.6 * dense));
    body = texture(picture, end).rgb * passes * (1.0 - 0.4 * scatter[k]) + veiled;
  }
  float mirror = min(fresnel(cosine, index[k]), 0.7);
  color = mix(body, sky_mirror(mirrored, towards_light), mirror);
  color *= 1.0 - rim[k] * pow(1.0 - cosine, 2.5);
  color += key_light * (2.2 * glint + 0.10 * sheen);
  color = mix(uncovered, color, min(cover, 1.0));
}
