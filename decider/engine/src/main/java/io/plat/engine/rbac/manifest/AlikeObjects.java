package io.plat.engine.rbac.manifest;

import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.RbacObject;
import io.plat.process.Tasks;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a large text object by object, on two threads: the documents of YAML, or the items of one list, each of which begins on a line as
 * the first one does. An object that is like one before it ({@link AlikeObject}) is not read again. Where anything is wrong or stands
 * elsewhere, nothing is read. For one thread.
 */
final class AlikeObjects {
    private static final String MARKER = "---\n";
    private static final int MOST_ALIKE = 96;
    private static final Pattern JSON_ITEMS = Pattern.compile("\"items\"\\s*:\\s*\\[\\s*\\n(?=(\\s*\\{))");
    private static final Pattern YAML_ITEMS = Pattern.compile("(?m)^items:\\n(?=( *- ))");
    /** What stands for more than the text that it is in: a directive, or the end of the document. */
    private static final Pattern ELSEWHERE = Pattern.compile("(?m)^(?:%|\\.\\.\\.)|\\n---");

    private final RbacManifestReader into = new RbacManifestReader();
    private final List<AlikeObject> alike = new ArrayList<>();
    private final Interned words = new Interned();
    private final String file;
    private final String text;
    private final boolean json;
    private final String next;
    private final SourceReader.Parts parts;
    private int line = 1;
    private int learned;
    private int met;
    private boolean whole;

    private AlikeObjects(String file, String text, boolean json, String beginning) {
        this.file = file;
        this.text = text;
        this.json = json;
        this.next = "\n" + beginning;
        this.parts = new SourceReader.Parts(file, json);
    }

    /** The objects of a text, part after part; no part where it is to be read as a whole. */
    static List<RbacManifestReader> read(String file, String text) {
        boolean json = SourceReader.isJson(file, text);
        String head = text.substring(0, Math.min(text.length(), 1 << 12));
        Matcher items = (json ? JSON_ITEMS : YAML_ITEMS).matcher(head);
        boolean list = items.find() && !head.substring(0, items.start()).contains("\n---");
        if (json && !list) {
            return List.of();
        }
        String beginning = list ? items.group(1) : MARKER;
        AlikeObjects first = new AlikeObjects(file, text, json, beginning);
        AlikeObjects second = new AlikeObjects(file, text, json, beginning);
        int from = list ? items.end() : 0;
        // The last item is read with what stands around the list, as nothing shows where it ends.
        int to = list ? Math.max(from, text.lastIndexOf(first.next) + 1) : text.length();
        int middle = first.next(from + (to - from) / 2, to);
        Tasks.Task other = Tasks.platform("policy-reader", () -> second.objects(middle, to));
        first.objects(from, middle);
        other.join();
        boolean whole = first.whole && second.whole && (!list || second.around(text.substring(0, from), to));
        return whole ? List.of(first.into, second.into) : List.of();
    }

    /** The position at which the next object begins; the end of the range if none does. */
    private int next(int from, int to) {
        int at = text.indexOf(next, from, to);
        return at < 0 ? to : at + 1;
    }

    /** Reads the objects of a range, as long as each can be read by itself. */
    private void objects(int from, int to) {
        line += newlines(text.substring(0, from));
        int at = from;
        while (at < to) {
            int end = next(at, to);
            if (!isKnown(at, end) && !isReadAnew(text.substring(at, end))) {
                return;
            }
            at = end;
        }
        whole = into.isClean();
    }

    /** Takes an object if it is like one before. */
    private boolean isKnown(int from, int to) {
        for (int i = 0; i < alike.size(); i++) {
            AlikeObject one = alike.get(i);
            RbacObject object = one.read(text, from, to, line, words);
            if (object != null) {
                Collections.swap(alike, 0, i);
                into.put(object);
                met++;
                line += one.lines();
                return true;
            }
        }
        return false;
    }

    /** Has an object read, and remembers what it is like. */
    private boolean isReadAnew(String one) {
        if (ELSEWHERE.matcher(one).find() || !isRead(into, parts, line, one)) {
            return false;
        }
        // Where hardly anything is alike, it is not worth the time.
        AlikeObject further = learned++ <= MOST_ALIKE + met ? AlikeObject.of(one, json, this::only) : null;
        if (further != null) {
            alike.addFirst(further);
            if (alike.size() > MOST_ALIKE) {
                alike.removeLast();
            }
        }
        line += newlines(one);
        return true;
    }

    /** The object of a text that has no more than that, or null. */
    private @Nullable RbacObject only(String one) {
        RbacManifestReader reader = new RbacManifestReader();
        return isRead(reader, new SourceReader.Parts(file, json), 1, one) ? reader.only() : null;
    }

    /** Adds the object of a part; false where it is none by itself, or something is wrong with it. */
    private boolean isRead(RbacManifestReader reader, SourceReader.Parts from, int first, String one) {
        String stripped = one.stripTrailing();
        if (json && !stripped.endsWith(",")) {
            return false;
        }
        try {
            List<SourceNode> read = from.read(first, json ? stripped.substring(0, stripped.length() - 1) : one);
            reader.addDocuments(read);
            return read.size() <= 1 && reader.isClean();
        } catch (ProblemsException _) {
            return false;
        }
    }

    /** Reads what stands around the items and the last of them; false where that is not one list, or the items are another one's. */
    private boolean around(String head, int last) {
        try {
            RbacManifestReader around = new RbacManifestReader();
            List<SourceNode> read = parts.read(line - newlines(head), head + text.substring(last));
            around.addDocuments(read);
            return read.size() == 1
                    && around.hasOneList()
                    && parts.read(1, head + (json ? "]}" : " []")).getFirst() instanceof SourceNode.Mapping begun
                    && begun.get("items") instanceof SourceNode.Sequence
                    && into.merge(around);
        } catch (ProblemsException _) {
            return false;
        }
    }

    static int newlines(String part) {
        int lines = 0;
        for (int i = part.indexOf('\n'); i >= 0; i = part.indexOf('\n', i + 1)) {
            lines++;
        }
        return lines;
    }
}
