// Where smoke begins, as the light sees it.
flat in vec3 center;
flat in float pixel_radius;
flat in float lit;
layout(location = 0) out float depth;

void main() { depth = center.z; }
