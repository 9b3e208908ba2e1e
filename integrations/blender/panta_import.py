"""Panta results in Blender (3.4 and newer): liquids as mesh sequences with velocities, volumes, solids.

As an add-on: Edit > Preferences > Add-ons > Install, then File > Import > Panta result (surface.json).
As a script:  blender -P panta_import.py -- RESULT_FOLDER

'panta surface RESULT_FOLDER' writes what is read here: binary PLY files, one for each frame, and surface.json,
which says which frames there are and how liquids look. Meshes are loaded when the frame changes, never all
at once. Panta's y axis is up, Blender's is z: everything hangs on an empty that is turned accordingly.
"""

import json
import math
import os
import sys

import bpy
import numpy
from bpy.app.handlers import persistent
from mathutils import Quaternion, Vector

bl_info = {
    "name": "Panta results",
    "author": "Panta",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Panta result (surface.json)",
    "description": "Liquids simulated by Panta as mesh sequences with velocities, volumes and solids",
    "category": "Import-Export",
}

FOLDER, SUFFIX, SHOWN = "panta_folder", "panta_suffix", "panta_shown"  # custom properties of objects
DEFAULT_COLOR = (0.35, 0.62, 0.78)  # sRGB, of liquids whose material has none
SOLID_COLOR = (0.72, 0.68, 0.62)
CREASE = math.radians(60)


# Files


def read_ply(path):
    """Positions, triangles and further columns of a PLY file of 'panta surface'."""
    with open(path, "rb") as file:
        content = file.read()
    end = content.find(b"end_header\n")
    if not content.startswith(b"ply\nformat binary_little_endian") or end < 0:
        raise ValueError(f"{path} is no binary PLY file written by panta")
    counts, columns = {"vertex": 0, "face": 0}, []
    element = None
    for line in content[:end].decode("ascii").splitlines():
        words = line.split()
        if words[0] == "element":
            element = words[1]
            counts[element] = int(words[2])
        elif words[0] == "property" and element == "vertex":
            columns.append(words[2])
    vertex = numpy.dtype([(name, "<f4") for name in columns])
    face = numpy.dtype([("corners", "u1"), ("vertices", "<i4", 3)])
    body = end + len(b"end_header\n")
    faces_at = body + counts["vertex"] * vertex.itemsize
    if len(content) != faces_at + counts["face"] * face.itemsize:
        raise ValueError(f"{path} is cut short or damaged; run 'panta surface' again")
    vertices = numpy.frombuffer(content, vertex, counts["vertex"], body)
    faces = numpy.frombuffer(content, face, counts["face"], faces_at)
    return vertices, faces["vertices"]


def columns_of(vertices, names):
    """Some columns as one flat array, vertex by vertex; None where the file lacks them."""
    if any(name not in vertices.dtype.names for name in names):
        return None
    return numpy.stack([vertices[name] for name in names], axis=1).ravel()


def frame_path(folder, frame, suffix, extension):
    return os.path.join(folder, f"frame_{frame:06}{suffix}.{extension}")


def surface_folder(folder):
    """The folder with surface.json, for that folder itself or a result folder."""
    folder = os.path.abspath(bpy.path.abspath(folder))
    for candidate in (folder, os.path.join(folder, "surface")):
        if os.path.isfile(os.path.join(candidate, "surface.json")):
            return candidate
    raise FileNotFoundError(f"{folder} contains no surface.json; 'panta surface {folder}' writes it")


# Meshes


def fill_mesh(mesh, vertices, triangles):
    """Replaces the content of a mesh; keeps its materials."""
    mesh.clear_geometry()
    if len(triangles) == 0:
        return
    count = len(triangles)
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", columns_of(vertices, ("x", "y", "z")))
    mesh.loops.add(3 * count)
    mesh.loops.foreach_set("vertex_index", triangles.ravel())
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * count, 3, dtype=numpy.int32))
    if bpy.app.version < (4, 0, 0):
        mesh.polygons.foreach_set("loop_total", numpy.full(count, 3, dtype=numpy.int32))
    mesh.polygons.foreach_set("use_smooth", numpy.ones(count, dtype=bool))
    velocity = columns_of(vertices, ("vx", "vy", "vz"))
    if velocity is not None:  # Cycles blurs by the attribute of this name
        mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT").data.foreach_set("vector", velocity)
    value = columns_of(vertices, ("value",))
    if value is not None:
        mesh.attributes.new("value", "FLOAT", "POINT").data.foreach_set("value", value)
    mesh.update(calc_edges=True)
    if hasattr(mesh, "use_auto_smooth"):
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = CREASE
    elif hasattr(mesh, "set_sharp_from_angle"):
        mesh.set_sharp_from_angle(angle=CREASE)


def show_frame(thing, frame):
    """Loads the frame's mesh or volume into an imported object; empty if there is no such frame."""
    if thing.get(SHOWN) == frame:
        return
    folder = bpy.path.abspath(thing[FOLDER])
    if thing.type == "VOLUME":
        path = frame_path(folder, frame, thing[SUFFIX], "vdb")
        thing.data.filepath = path if os.path.isfile(path) else ""
    else:
        path = frame_path(folder, frame, thing[SUFFIX], "ply")
        if os.path.isfile(path):
            fill_mesh(thing.data, *read_ply(path))
        else:
            thing.data.clear_geometry()
    thing[SHOWN] = frame


@persistent
def on_frame_change(scene, _depsgraph=None):
    # Motion blur uses times before and after a frame; they map to the nearest frame.
    frame = round(scene.frame_current + scene.frame_subframe)
    for thing in scene.objects:
        if FOLDER in thing and SUFFIX in thing:
            try:
                show_frame(thing, frame)
            except (OSError, ValueError) as problem:
                print(f"panta: {problem}", file=sys.stderr)


# Materials


def linear(srgb):
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in srgb]


def set_input(node, value, *names):
    """Sets the first input with one of these names, which differ between versions."""
    for name in names:
        if name in node.inputs:
            node.inputs[name].default_value = value
            return


def make_material(name, color, clear, refraction, depth):
    """Absorption such that light has this colour after `depth` metres."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    rgb = linear(color)
    set_input(shader, 0.0 if clear else 0.35, "Roughness")
    set_input(shader, refraction, "IOR")
    if not clear:
        set_input(shader, (*rgb, 1), "Base Color")
        return material
    set_input(shader, (1, 1, 1, 1), "Base Color")
    set_input(shader, 1.0, "Transmission Weight", "Transmission")
    absorption = [-math.log(max(c, 2e-3)) / depth for c in rgb]
    density = max(absorption)
    if density > 0:
        volume = nodes.new("ShaderNodeVolumeAbsorption")
        volume.inputs["Density"].default_value = density
        volume.inputs["Color"].default_value = (*[1 - a / density for a in absorption], 1)
        links.new(volume.outputs["Volume"], nodes["Material Output"].inputs["Volume"])
    return material


# Import


class Importer:
    def __init__(self, context, folder):
        self.context = context
        self.folder = surface_folder(folder)
        with open(os.path.join(self.folder, "surface.json"), encoding="utf-8") as file:
            self.record = json.load(file)
        self.frames = [entry["frame"] for entry in self.record["frames"]]
        if not self.frames:
            raise ValueError(f"{self.folder} contains no frames yet; run 'panta surface' to its end")
        if self.record["options"]["format"] != "ply":
            raise ValueError(f"{self.folder} contains no .ply files; run 'panta surface --format ply --overwrite'")
        title = self.record.get("title", "Panta")
        self.collection = bpy.data.collections.new(title)
        context.scene.collection.children.link(self.collection)
        self.root = self.add(bpy.data.objects.new(title, None))
        self.root.rotation_euler = (math.pi / 2, 0, 0)
        self.size = self.measure()

    def add(self, thing):
        self.collection.objects.link(thing)
        return thing

    def hang(self, thing):
        self.add(thing).parent = self.root
        return thing

    def measure(self):
        """Lowest and highest corner of all liquids in the first, middle and last frame."""
        corners = []
        for frame in {self.frames[0], self.frames[len(self.frames) // 2], self.frames[-1]}:
            for liquid in self.record["liquids"]:
                path = frame_path(self.folder, frame, liquid["suffix"], "ply")
                if not os.path.isfile(path):
                    continue
                vertices, _ = read_ply(path)
                if len(vertices):
                    at = columns_of(vertices, ("x", "y", "z")).reshape(-1, 3)
                    corners += [at.min(axis=0), at.max(axis=0)]
        if not corners:
            return Vector((0, 0, 0)), Vector((1, 1, 1))
        return Vector(numpy.min(corners, axis=0)), Vector(numpy.max(corners, axis=0))

    def diagonal(self):
        return max((self.size[1] - self.size[0]).length, 1e-3)

    def run(self):
        self.set_times()
        for liquid in self.record["liquids"]:
            self.import_liquid(liquid)
        for solid in self.record.get("solids", []):
            self.import_solid(solid)
        if on_frame_change.__name__ not in [f.__name__ for f in bpy.app.handlers.frame_change_pre]:
            bpy.app.handlers.frame_change_pre.append(on_frame_change)
        self.context.scene.frame_set(self.frames[0])
        return self

    def set_times(self):
        scene = self.context.scene
        scene.frame_start, scene.frame_end = self.frames[0], self.frames[-1]
        scene.render.fps = max(1, round(self.record["fps"]))
        scene.render.fps_base = scene.render.fps / self.record["fps"]
        scene.render.use_lock_interface = True  # meshes are replaced while a sequence is rendered
        scene.render.use_motion_blur = True

    def import_liquid(self, liquid):
        name = liquid["name"]
        mesh = bpy.data.meshes.new(name)
        depth = liquid.get("color_depth") or self.diagonal() / 3
        mesh.materials.append(
            make_material(name, liquid.get("color", DEFAULT_COLOR), liquid["clear"], liquid["refraction"], depth)
        )
        self.mark(self.hang(bpy.data.objects.new(name, mesh)), liquid)
        if os.path.isfile(frame_path(self.folder, self.frames[0], liquid["suffix"], "vdb")):
            volume = self.hang(bpy.data.objects.new(name + " volume", bpy.data.volumes.new(name)))
            volume.hide_render = True  # by default only the mesh is rendered
            self.mark(volume, liquid)

    def mark(self, thing, liquid):
        thing[FOLDER], thing[SUFFIX] = self.folder, liquid["suffix"]

    def import_solid(self, solid):
        mesh = bpy.data.meshes.new(solid["name"])
        fill_mesh(mesh, *read_ply(os.path.join(self.folder, solid["file"])))
        color = solid.get("color", (0.85, 0.95, 0.92) if solid["glass"] else SOLID_COLOR)
        mesh.materials.append(make_material(solid["name"], color, solid["glass"], 1.5, self.diagonal() / 10))
        thing = self.hang(bpy.data.objects.new(solid["name"], mesh))
        thing.rotation_mode = "QUATERNION"
        for frame, place in enumerate(solid.get("path", [])):
            thing.location, thing.rotation_quaternion = place[:3], Quaternion(place[3:])
            thing.keyframe_insert("location", frame=frame)
            thing.keyframe_insert("rotation_quaternion", frame=frame)

    def make_stage(self):
        """A floor, a light, a sky and a camera that sees all liquids, for a first picture."""
        low, high = self.size
        solids = [bpy.data.objects[solid["name"]].data for solid in self.record.get("solids", [])]
        floor = min([low.y] + [vertex.co.y for mesh in solids for vertex in mesh.vertices])
        size, middle = self.diagonal(), (low + high) / 2
        at = Vector((middle.x, -middle.z, middle.y))  # z up
        bpy.ops.mesh.primitive_plane_add(size=40 * size, location=(at.x, at.y, floor - 0.002 * size))
        bpy.context.object.name = "floor"
        lamp = bpy.data.lights.new("key", "AREA")
        lamp.energy, lamp.size = 60 * size**2, size
        self.aim(self.add(bpy.data.objects.new("key", lamp)), at, Vector((1.2, -0.8, 1.8)) * size)
        camera = self.add(bpy.data.objects.new("camera", bpy.data.cameras.new("camera")))
        self.aim(camera, at, Vector((0.95, -1.85, 0.95)) * size)
        self.context.scene.camera = camera
        world = self.context.scene.world or bpy.data.worlds.new("world")
        self.context.scene.world = world
        world.use_nodes = True
        world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.75, 0.82, 0.9, 1)

    @staticmethod
    def aim(thing, at, offset):
        thing.location = at + offset
        thing.rotation_euler = (-offset).to_track_quat("-Z", "Y").to_euler()


def import_result(folder, context=None, stage=False):
    importer = Importer(context or bpy.context, folder).run()
    if stage:
        importer.make_stage()
    return importer


class ImportPanta(bpy.types.Operator):
    """Import the surfaces of a Panta result folder"""

    bl_idname = "import_scene.panta"
    bl_label = "Import Panta result"
    bl_options = {"REGISTER", "UNDO"}

    filepath: bpy.props.StringProperty(subtype="FILE_PATH")
    filter_glob: bpy.props.StringProperty(default="surface.json", options={"HIDDEN"})
    stage: bpy.props.BoolProperty(name="Floor, light and camera", default=False)

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        folder = self.filepath if os.path.isdir(self.filepath) else os.path.dirname(self.filepath)
        try:
            import_result(folder, context, self.stage)
        except (OSError, ValueError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


def menu_entry(self, _context):
    self.layout.operator(ImportPanta.bl_idname, text="Panta result (surface.json)")


def register():
    bpy.utils.register_class(ImportPanta)
    bpy.types.TOPBAR_MT_file_import.append(menu_entry)
    bpy.app.handlers.frame_change_pre.append(on_frame_change)


def unregister():
    bpy.app.handlers.frame_change_pre.remove(on_frame_change)
    bpy.types.TOPBAR_MT_file_import.remove(menu_entry)
    bpy.utils.unregister_class(ImportPanta)


if __name__ == "__main__":
    register()
    if "--" in sys.argv and len(sys.argv) > sys.argv.index("--") + 1:
        for thing in list(bpy.data.objects):  # the start-up scene's cube, light and camera
            bpy.data.objects.remove(thing)
        import_result(sys.argv[sys.argv.index("--") + 1], stage=True)
