package io.plat.engine.rbac.manifest;

import io.plat.engine.lookup.Interner;
import io.plat.engine.rbac.RbacBinding;
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
 * Reader of large manifests, which reads a text object by object on two threads: the documents of YAML, or the items of one list, each of which
 * begins on a line as the first one does. Bindings that match a {@link BindingTemplate} are not parsed. If anything is invalid or unexpected, nothing
 * is read, and the caller parses the whole text. Each instance belongs to one thread.
 */
final class ParallelManifestReader {
    private static final String MARKER = "---\n";
    private static final int MAX_TEMPLATES = 96;
    private static final Pattern JSON_ITEMS = Pattern.compile("\"items\"\\s*:\\s*\\[\\s*\\n(?=(\\s*\\{))");
    private static final Pattern YAML_ITEMS = Pattern.compile("(?m)^items:\\n(?=( *- ))");
    /** Directives and ends of documents, which affect text beyond the object that contains them. */
    private static final Pattern DIRECTIVES = Pattern.compile("(?m)^(?:%|\\.\\.\\.)|\\n---");

    private final RbacManifestReader into = new RbacManifestReader();
    private final List<BindingTemplate> templates = new ArrayList<>();
    private final Interner strings = new Interner();
    private final String file;
    private final String text;
    private final boolean json;
    private final String separator;
    private final SourceReader.Parts parts;
    private int line = 1;
    private boolean done;

    private ParallelManifestReader(String file, String text, boolean json, String beginning) {
        this.file = file;
        this.text = text;
        this.json = json;
        this.separator = "\n" + beginning;
        this.parts = new SourceReader.Parts(file, json);
    }

    /** Returns the objects of a text in two parts, or no part if the text has to be parsed as a whole. */
    static List<RbacManifestReader> read(String file, String text) {
        boolean json = SourceReader.isJson(file, text);
        String head = text.substring(0, Math.min(text.length(), 1 << 12));
        Matcher items = (json ? JSON_ITEMS : YAML_ITEMS).matcher(head);
        boolean list = items.find() && !head.substring(0, items.start()).contains("\n---");
        if (json && !list) {
            return List.of();
        }
        String beginning = list ? items.group(1) : MARKER;
        ParallelManifestReader first = new ParallelManifestReader(file, text, json, beginning);
        ParallelManifestReader second = new ParallelManifestReader(file, text, json, beginning);
        int from = list ? items.end() : 0;
        // The last item is parsed together with the text around the list, as its end is unknown.
        int to = list ? Math.max(from, text.lastIndexOf(first.separator) + 1) : text.length();
        int middle = first.next(from + (to - from) / 2, to);
        Thread other = Tasks.platform("policy-reader", () -> second.readObjects(middle, to));
        first.readObjects(from, middle);
        Tasks.join(other);
        boolean done = first.done && second.done && (!list || second.readAround(text.substring(0, from), to));
        return done ? List.of(first.into, second.into) : List.of();
    }

    /** Returns the position at which the next object begins; the end of the range if there is none. */
    private int next(int from, int to) {
        int at = text.indexOf(separator, from, to);
        return at < 0 ? to : at + 1;
    }

    private void readObjects(int from, int to) {
        line += newlines(0, from);
        int at = from;
        while (at < to) {
            int end = next(at, to);
            if (!isEmpty(at, end) && !readByTemplate(at, end) && !parse(text.substring(at, end))) {
                return;
            }
            line += newlines(at, end);
            at = end;
        }
        done = into.isClean();
    }

    /** Returns whether a document consists of comments, in ASCII. */
    private boolean isEmpty(int from, int to) {
        boolean comment = false;
        for (int i = from + MARKER.length(); i < to; i++) {
            char c = text.charAt(i);
            comment = c != '\n' && (comment || c == '#');
            if (c != '\n' && (c < ' ' || c > '~' || (c != ' ' && !comment))) {
                return false;
            }
        }
        return text.startsWith(MARKER, from);
    }

    private boolean readByTemplate(int from, int to) {
        for (int i = 0; i < templates.size(); i++) {
            RbacBinding binding = templates.get(i).read(text, from, to, line, strings);
            if (binding != null) {
                into.put(binding);
                Collections.swap(templates, 0, i);
                return true;
            }
        }
        return false;
    }

    /** Parses an object and keeps its template; returns false if the text is not one valid object. */
    private boolean parse(String object) {
        if (DIRECTIVES.matcher(object).find() || !parse(into, parts, line, object)) {
            return false;
        }
        BindingTemplate template =
                templates.size() < MAX_TEMPLATES ? BindingTemplate.of(object, json, this::onlyObject) : null;
        if (template != null) {
            templates.addFirst(template);
        }
        return true;
    }

    private @Nullable RbacObject onlyObject(String object) {
        RbacManifestReader reader = new RbacManifestReader();
        return parse(reader, new SourceReader.Parts(file, json), 1, object) ? reader.only() : null;
    }

    private boolean parse(RbacManifestReader reader, SourceReader.Parts from, int firstLine, String object) {
        String stripped = object.stripTrailing();
        if (json && !stripped.endsWith(",")) {
            return false;
        }
        try {
            List<SourceNode> documents =
                    from.read(firstLine, json ? stripped.substring(0, stripped.length() - 1) : object);
            reader.addDocuments(documents);
            return documents.size() <= 1 && reader.isClean();
        } catch (ProblemsException _) {
            return false;
        }
    }

    /** Parses the text around the items, and the last item; returns false unless that text is one list with these items. */
    private boolean readAround(String head, int last) {
        try {
            RbacManifestReader around = new RbacManifestReader();
            List<SourceNode> documents = parts.read(line - newlines(0, head.length()), head + text.substring(last));
            around.addDocuments(documents);
            return documents.size() == 1
                    && around.hasOneList()
                    && parts.read(1, head + (json ? "]}" : " []")).getFirst() instanceof SourceNode.Mapping begun
                    && begun.get("items") instanceof SourceNode.Sequence
                    && into.merge(around);
        } catch (ProblemsException _) {
            return false;
        }
    }

    private int newlines(int from, int to) {
        int lines = 0;
        for (int i = text.indexOf('\n', from, to); i >= 0; i = text.indexOf('\n', i + 1, to)) {
            lines++;
        }
        return lines;
    }
}
