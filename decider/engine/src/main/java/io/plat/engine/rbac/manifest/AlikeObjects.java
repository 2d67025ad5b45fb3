package io.plat.engine.rbac.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.RbacObject;
import io.plat.process.Tasks;
import io.plat.review.json.JsonFactories;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a large content object by object, by two threads: the documents of YAML, or the items of one list. An object that is like one
 * before it ({@link AlikeObject}) is not read again. Where anything is wrong or stands elsewhere, nothing is read. For one thread.
 */
final class AlikeObjects {
    private static final String MARKER = "---\n";
    private static final int MOST_ALIKE = 96;
    private static final Pattern JSON_ITEMS = Pattern.compile("\"items\"\\s*:\\s*\\[\\s*(?=\\{)");
    private static final Pattern YAML_ITEMS = Pattern.compile("(?m)^items:\\n(?=( *- ))");
    /** What stands for more than the text that it is in: a directive, or the end of the document. */
    private static final Pattern ELSEWHERE = Pattern.compile("(?m)^(?:%|\\.\\.\\.)|\\n---");

    private static final JsonFactory JSON = JsonFactories.create();

    private final RbacManifestReader into = new RbacManifestReader();
    private final List<AlikeObject> alike = new ArrayList<>();
    private final Interned words = new Interned();
    private final String file;
    private final byte[] bytes;
    private final boolean json;
    private final byte[] beginning;
    private final boolean documents;
    private final int limit;
    private final SourceReader.Parts parts;
    private int at;
    private int line;
    private int learned;
    private int met;
    private boolean more;

    private AlikeObjects(String file, byte[] bytes, boolean json, String beginning, int from, int limit) {
        this.file = file;
        this.bytes = bytes;
        this.json = json;
        this.beginning = beginning.getBytes(StandardCharsets.US_ASCII);
        this.documents = beginning.equals(MARKER);
        this.at = from;
        this.limit = limit;
        this.line = 1 + newlines(0, from);
        this.parts = new SourceReader.Parts(file, json);
    }

    /** The objects of a content, part after part; no part where it is to be read as a whole. */
    static List<RbacManifestReader> read(String file, byte[] bytes) {
        boolean json = SourceReader.isJson(file, bytes);
        String head = new String(bytes, 0, Math.min(bytes.length, 1 << 12), StandardCharsets.ISO_8859_1);
        Matcher items = (json ? JSON_ITEMS : YAML_ITEMS).matcher(head);
        boolean list = items.find() && !head.substring(0, items.start()).contains("\n---");
        if (json && !list) {
            return List.of();
        }
        int from = list ? items.end() : 0;
        // In JSON without line ends no other item begins like the first.
        String beginning =
                json ? head.substring(head.lastIndexOf('\n', from) + 1, from + 1) : list ? items.group(1) : MARKER;
        AlikeObjects all = new AlikeObjects(file, bytes, json, beginning, from, bytes.length);
        int middle = all.end(Math.max(from + 1, bytes.length / 2));
        AlikeObjects first = new AlikeObjects(file, bytes, json, beginning, from, middle);
        AlikeObjects second = new AlikeObjects(file, bytes, json, beginning, middle, bytes.length);
        Tasks.Task other = Tasks.platform("policy-reader", second::objects);
        boolean whole = first.objects();
        other.join();
        boolean divided = middle < bytes.length;
        AlikeObjects last = divided ? second : first;
        // What follows the first part is the second, and in JSON behind a comma.
        return whole
                        && second.isWhole()
                        && (!divided || (first.more && first.at == middle))
                        && (list ? last.around(from) : last.at == last.limit)
                ? List.of(first.into, second.into)
                : List.of();
    }

    /** Reads all objects; false where one of them cannot be read by itself. */
    private boolean objects() {
        more = json ? !separator() : documents || startsWith(at);
        while (more && at < limit) {
            if (!isKnown() && !isReadAnew()) {
                return false;
            }
            more = json ? separator() : documents || startsWith(at);
        }
        return isWhole();
    }

    /** Whether nothing was wrong, and nothing follows that is not around the list. */
    private boolean isWhole() {
        return into.isClean() && (!more || at == limit);
    }

    /** Reads what stands around the items, which has to be one list. */
    private boolean around(int from) {
        String text = new String(bytes, 0, from, StandardCharsets.UTF_8)
                + new String(bytes, at, limit - at, StandardCharsets.UTF_8);
        try {
            List<SourceNode> documents = parts.read(1, text);
            into.addDocuments(documents);
            return documents.size() == 1 && into.isClean() && into.hasOneEmptyList();
        } catch (ProblemsException _) {
            return false;
        }
    }

    /** Goes to the next item of JSON; false where none follows. */
    private boolean separator() {
        boolean comma = false;
        for (; at < limit; at++) {
            if (bytes[at] == '\n') {
                line++;
            } else if (bytes[at] == ',' && !comma) {
                comma = true;
            } else if (bytes[at] != ' ' && bytes[at] != '\t' && bytes[at] != '\r') {
                break;
            }
        }
        // A comma before the end is left to be found wrong.
        return comma;
    }

    /** Takes the object that begins here if it is like one before. */
    private boolean isKnown() {
        for (int i = 0; i < alike.size(); i++) {
            AlikeObject one = alike.get(i);
            RbacObject object = one.read(file, bytes, at, limit, line, words);
            if (object != null && (json || isEnd(one.end()))) {
                if (i > 0) {
                    alike.addFirst(alike.remove(i));
                }
                into.put(object);
                met++;
                at = one.end();
                line += one.lines();
                return true;
            }
        }
        return false;
    }

    /** Has what begins here read, and remembers what it is like. */
    private boolean isReadAnew() {
        int end = json ? valueEnd() : end(at + 1);
        String text = new String(bytes, at, end - at, StandardCharsets.UTF_8);
        if (ELSEWHERE.matcher(text).find()) {
            return false;
        }
        try {
            into.addDocuments(parts.read(line, text));
        } catch (ProblemsException _) {
            return false;
        }
        // Where hardly anything is alike, it is not worth the time.
        if (learned++ <= MOST_ALIKE + met) {
            AlikeObject.of(text, json).ifPresent(alike::addFirst);
            if (alike.size() > MOST_ALIKE) {
                alike.removeLast();
            }
        }
        line += newlines(at, end);
        at = end;
        return into.isClean();
    }

    /** Whether a YAML object cannot go on here: another one begins, or the text ends, or what is around the list. */
    private boolean isEnd(int place) {
        return place >= limit || startsWith(place) || (!documents && Character.isLetter(bytes[place]));
    }

    /** Where the first line stands, from a place on, that ends a YAML object. */
    private int end(int from) {
        int end = from;
        while (end < limit && !(bytes[end - 1] == '\n' && isEnd(end))) {
            end++;
        }
        return end;
    }

    private int valueEnd() {
        // A character for each byte: only where the value ends is of interest.
        InputStream rest = new ByteArrayInputStream(bytes, at, limit - at);
        try (JsonParser parser = JSON.createParser(new InputStreamReader(rest, StandardCharsets.ISO_8859_1))) {
            parser.nextToken();
            parser.skipChildren();
            return at + (int) parser.currentLocation().getCharOffset();
        } catch (IOException _) {
            return limit;
        }
    }

    private boolean startsWith(int from) {
        int to = from + beginning.length;
        return to <= bytes.length && Arrays.equals(bytes, from, to, beginning, 0, beginning.length);
    }

    private int newlines(int from, int to) {
        int lines = 0;
        for (int i = from; i < to; i++) {
            lines += bytes[i] == '\n' ? 1 : 0;
        }
        return lines;
    }
}
