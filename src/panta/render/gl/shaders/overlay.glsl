// Blends a coarser picture over the finer one.
layout(binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;

void main() { color = texture(picture, gl_FragCoord.xy / frame_size); }
