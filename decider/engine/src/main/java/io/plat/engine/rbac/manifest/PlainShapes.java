package io.plat.engine.rbac.manifest;

import io.plat.engine.rbac.RbacObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The shapes of the objects that were read last, the one that was met last before the others. For one thread. */
final class PlainShapes {
    /** So many are tried: roles and bindings in turn, with a few more or less subjects. */
    private static final int MOST = 6;

    /** An object that may differ in more values is hardly followed by one like it. */
    private static final int MOST_SLOTS = 32;

    private final List<PlainShape> shapes = new ArrayList<>(MOST);

    /** What was read, and the shape of it, which knows where it ends. */
    record Found(RbacObject object, PlainShape shape) {}

    /**
     * Reads an object that is of one of the shapes.
     *
     * @param from where it begins
     * @param limit where the text ends
     * @param line the number of its first line
     * @param ends whether an object may end at a place
     * @return null where it is of another shape
     */
    @Nullable
    Found find(int from, int limit, int line, PlainShape.Values values, IntPredicate ends) {
        for (int i = 0; i < shapes.size(); i++) {
            PlainShape shape = shapes.get(i);
            RbacObject object = shape.read(from, limit, line, values);
            if (object != null && ends.test(shape.end())) {
                if (i > 0) {
                    shapes.remove(i);
                    shapes.addFirst(shape);
                }
                return new Found(object, shape);
            }
        }
        return null;
    }

    /** Keeps the shape of an object that was read word by word. */
    void add(byte[] text, PlainShape.Extent extent, RbacObject object, List<PlainSlot> slots) {
        if (slots.size() > MOST_SLOTS) {
            return;
        }
        if (shapes.size() == MOST) {
            shapes.removeLast();
        }
        shapes.addFirst(new PlainShape(text, extent, object, slots));
    }
}
