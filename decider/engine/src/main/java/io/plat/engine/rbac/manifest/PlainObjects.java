package io.plat.engine.rbac.manifest;

import io.plat.engine.rbac.RbacObject;
import io.plat.process.Tasks;
import io.plat.review.source.SourceReader;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** The role objects of a file that could be read the fast way, and the documents that could not. */
final class PlainObjects {
    /** What is smaller is read before a second thread has begun. */
    private static final int LARGE = 1 << 20;

    private final byte[] bytes;
    private final List<RbacObject> objects = new ArrayList<>();
    private final List<Range> left = new ArrayList<>();

    /** A document that was left: where its bytes stand, and the number of its first line. */
    private record Range(int from, int to, int line) {}

    /** Reads what can be read this way, which may be nothing. */
    static PlainObjects of(String file, byte[] bytes) {
        boolean json = SourceReader.isJson(file, bytes);
        PlainObjects read = json ? ofJson(file, bytes) : ofYaml(file, bytes);
        // Of more documents the general reader has to say that they are too many.
        return read.objects.size() + read.left.size() > SourceReader.MAX_DOCUMENTS ? nothing(bytes) : read;
    }

    private PlainObjects(byte[] bytes) {
        this.bytes = bytes;
    }

    private static PlainObjects nothing(byte[] bytes) {
        PlainObjects none = new PlainObjects(bytes);
        none.leave(0, bytes.length, 1);
        return none;
    }

    private static PlainObjects ofJson(String file, byte[] bytes) {
        PlainObjects read = new PlainObjects(bytes);
        return new PlainList(file, bytes).readAll(read) ? read : nothing(bytes);
    }

    private static PlainObjects ofYaml(String file, byte[] bytes) {
        int middle = bytes.length > LARGE ? marker(bytes, bytes.length / 2) : bytes.length;
        PlainObjects first = new PlainObjects(bytes);
        PlainObjects second = new PlainObjects(bytes);
        boolean[] whole = {middle == bytes.length};
        Tasks.Task other = null;
        if (middle < bytes.length) {
            other = Tasks.platform(
                    "policy-reader",
                    () -> whole[0] = new PlainYaml(file, bytes, middle, bytes.length, 1 + newlines(bytes, 0, middle))
                            .readAll(second));
        }
        boolean begun = new PlainYaml(file, bytes, 0, middle, 1).readAll(first);
        if (other != null) {
            other.join();
        }
        if (!begun || !whole[0]) {
            return nothing(bytes);
        }
        first.objects.addAll(second.objects);
        first.left.addAll(second.left);
        return first;
    }

    /** Where the first document begins behind a place. */
    private static int marker(byte[] bytes, int from) {
        for (int i = from; i + 4 < bytes.length; i++) {
            if (bytes[i] == '\n'
                    && bytes[i + 1] == '-'
                    && bytes[i + 2] == '-'
                    && bytes[i + 3] == '-'
                    && bytes[i + 4] == '\n') {
                return i + 1;
            }
        }
        return bytes.length;
    }

    private static int newlines(byte[] bytes, int from, int to) {
        int lines = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n') {
                lines++;
            }
        }
        return lines;
    }

    void addAll(List<RbacObject> more) {
        objects.addAll(more);
    }

    void leave(int from, int to, int line) {
        left.add(new Range(from, to, line));
    }

    /** What was read, in the order of the file. */
    List<RbacObject> objects() {
        return objects;
    }

    /** Whether documents were left. */
    boolean hasRest() {
        return !left.isEmpty();
    }

    /** The documents that were left, each in the lines that it has in the file; the others are blank. */
    byte[] rest() {
        if (left.size() == 1 && left.getFirst().from == 0 && left.getFirst().to == bytes.length) {
            return bytes;
        }
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        int line = 1;
        for (Range range : left) {
            for (; line < range.line; line++) {
                rest.write('\n');
            }
            rest.write(bytes, range.from, range.to - range.from);
            line += newlines(bytes, range.from, range.to);
        }
        return rest.toByteArray();
    }
}
