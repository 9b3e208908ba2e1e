"""blender -b -P test_import.py -- RESULT_FOLDER [PICTURE.png]: imports a result and checks the imported objects."""

import json
import os
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import panta_import  # noqa: E402


def check(condition, what):
    if not condition:
        print(f"FAILED: {what}", file=sys.stderr)
        sys.exit(1)


def check_frame(importer, frame):
    bpy.context.scene.frame_set(frame)
    for liquid in importer.record["liquids"]:
        path = panta_import.frame_path(importer.folder, frame, liquid["suffix"], "ply")
        vertices, triangles = panta_import.read_ply(path)
        mesh = bpy.data.objects[liquid["name"]].data
        check(len(mesh.polygons) == len(triangles), f"frame {frame}: all triangles are there")
        check(not mesh.validate(verbose=True), f"frame {frame}: Blender finds nothing to mend")
        if len(triangles) == 0:
            continue
        last = len(vertices) - 1
        place = [vertices[name][last] for name in ("x", "y", "z")]
        check(list(mesh.vertices[last].co) == place, f"frame {frame}: vertices are in place")
        velocity = [vertices[name][last] for name in ("vx", "vy", "vz")]
        check(list(mesh.attributes["velocity"].data[last].vector) == velocity, f"frame {frame}: velocities")


def main():
    arguments = sys.argv[sys.argv.index("--") + 1 :]
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    importer = panta_import.import_result(arguments[0], stage=True)
    with open(os.path.join(importer.folder, "surface.json"), encoding="utf-8") as file:
        record = json.load(file)
    scene = bpy.context.scene
    check(scene.frame_end == record["frames"][-1]["frame"], "the last frame is the run's")
    check(abs(scene.render.fps / scene.render.fps_base - record["fps"]) < 1e-3, "frames per second are the run's")
    for frame in (importer.frames[0], importer.frames[-1], importer.frames[0]):
        check_frame(importer, frame)
    for solid in record["solids"]:
        check(len(bpy.data.objects[solid["name"]].data.polygons) > 0, f"the solid {solid['name']} has faces")
    for thing in bpy.data.objects:
        if thing.type == "VOLUME":
            check(thing.data.grids.load() and len(thing.data.grids) > 0, "volumes have grids")
    if len(arguments) > 1:
        scene.render.engine = "CYCLES"
        scene.cycles.samples = 48
        scene.cycles.use_denoising = False
        scene.render.resolution_x, scene.render.resolution_y = 640, 360
        scene.render.filepath = os.path.abspath(arguments[1])
        scene.frame_set(importer.frames[len(importer.frames) // 2])
        bpy.ops.render.render(write_still=True)
    print("panta import: all is well")


main()
