package io.plat.review.source;

import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.ScalarType;
import io.plat.review.source.SourceNode.Sequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Reader of YAML into a tree, from the events of the library's parser, as the library's own tree would take ten times the memory.
 *
 * <p>An alias shares its value, so memory is bounded by the file. Traversing the tree visits a shared value once per alias, so it is counted that
 * often. Recursive values are rejected.
 */
final class YamlTree {
    private static final int MAX_ALIASES = 100;
    private static final ScalarTypes TYPES = new ScalarTypes();

    private final TreeBuilder tree;
    private final Parser parser;
    private final int linesBefore;
    private final Map<String, Shared> anchors = new HashMap<>();
    private int aliases;
    private int depth;
    /** Number of values of the document so far, each alias counted as its values. */
    private long values;

    private YamlTree(TreeBuilder tree, int linesBefore, Parser parser) {
        this.tree = tree;
        this.linesBefore = linesBefore;
        this.parser = parser;
    }

    /**
     * A value with an anchor.
     *
     * @param value the value; null while it is being built
     * @param key its text, if it may be a key; null for lists and mappings
     * @param size the number of its values
     */
    private record Shared(
            @Nullable SourceNode value, @Nullable String key, long size) {}

    /** Reads the documents of a text, whose first line has a number. */
    static List<SourceNode> readAll(TreeBuilder tree, int firstLine, String text) throws ProblemsException {
        List<SourceNode> documents = new ArrayList<>();
        int linesBefore = firstLine - 1;
        try {
            Parser parser = parser(text);
            parser.getEvent(); // The stream's beginning.
            while (!parser.checkEvent(Event.ID.StreamEnd)) {
                Event begins = parser.getEvent();
                tree.countDocument(tree.at(linesBefore + line(begins)));
                documents.add(new YamlTree(tree, linesBefore, parser).value(parser.getEvent()));
                parser.getEvent(); // The document's end.
            }
        } catch (YAMLException e) {
            int line = line(e, text);
            tree.problem(tree.at(line > 0 ? linesBefore + line : 0), "not valid YAML: " + message(e));
        }
        tree.finish();
        return documents;
    }

    private static Parser parser(String text) {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(SourceReader.MAX_BYTES);
        return new ParserImpl(new TextWindow(text), limits);
    }

    private Location at(Event event) {
        return tree.at(linesBefore + line(event));
    }

    private static int line(Event event) {
        return event.getStartMark().getLine() + 1;
    }

    private static int line(YAMLException e, String text) {
        if (e instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            return marked.getProblemMark().getLine() + 1;
        }
        if (e instanceof ReaderException unreadable) {
            int before = Math.min(unreadable.getPosition(), text.length());
            return 1 + (int) text.substring(0, before).lines().count() - (atLineStart(text, before) ? 0 : 1);
        }
        return 0;
    }

    private static boolean atLineStart(String text, int position) {
        return position == 0 || text.charAt(position - 1) == '\n';
    }

    private static String message(YAMLException e) {
        if (e instanceof ReaderException) {
            return "special characters are not allowed";
        }
        String message = e instanceof MarkedYAMLException marked && marked.getProblem() != null
                ? marked.getProblem()
                : String.valueOf(e.getMessage());
        return Quoted.oneLine(message);
    }

    /** Returns the problems, with one that ends the reading. */
    private ProblemsException unreadable(Location where, String message) throws ProblemsException {
        tree.problem(where, "not valid YAML: " + message);
        tree.finish();
        throw new IllegalStateException(message);
    }

    /** Reads the value that starts with an event taken from the parser. */
    private SourceNode value(Event event) throws ProblemsException {
        Location where = at(event);
        if (event instanceof AliasEvent alias) {
            return expanded(where, shared(where, alias));
        }
        NodeEvent node = (NodeEvent) event;
        String anchor = node.getAnchor();
        if (anchor != null) {
            anchors.put(anchor, new Shared(null, null, 0));
        }
        long before = values;
        count(where, 1);
        SourceNode value = switch (node) {
            case ScalarEvent scalar -> scalar(where, scalar);
            case SequenceStartEvent start -> sequence(where, start);
            case MappingStartEvent start -> mapping(where, start);
            default -> throw new IllegalStateException("no value begins with " + event);
        };
        if (anchor != null) {
            String key = node instanceof ScalarEvent scalar ? scalar.getValue() : null;
            anchors.put(anchor, new Shared(value, key, values - before));
        }
        return value;
    }

    private Shared shared(Location where, AliasEvent alias) throws ProblemsException {
        Shared known = anchors.get(alias.getAnchor());
        if (known == null) {
            throw unreadable(where, "found undefined alias " + alias.getAnchor());
        }
        if (known.key() == null && ++aliases > MAX_ALIASES) {
            throw unreadable(where, "more than " + MAX_ALIASES + " aliases");
        }
        return known;
    }

    private SourceNode expanded(Location where, Shared known) throws ProblemsException {
        if (known.value() == null) {
            tree.problem(where, "a value cannot contain itself");
            return nullScalar(where);
        }
        count(where, known.size());
        return known.value();
    }

    private void count(Location where, long more) throws ProblemsException {
        values += more;
        tree.count(where, more);
    }

    private void descend(Location where) throws ProblemsException {
        if (++depth > SourceReader.MAX_DEPTH) {
            throw unreadable(where, "nested deeper than " + SourceReader.MAX_DEPTH);
        }
    }

    private SourceNode sequence(Location where, SequenceStartEvent start) throws ProblemsException {
        refuseTag(where, start.getTag(), Tag.SEQ);
        descend(where);
        List<SourceNode> items = new ArrayList<>();
        while (!parser.checkEvent(Event.ID.SequenceEnd)) {
            items.add(value(parser.getEvent()));
        }
        parser.getEvent();
        depth--;
        return new Sequence(where, items);
    }

    private SourceNode mapping(Location where, MappingStartEvent start) throws ProblemsException {
        refuseTag(where, start.getTag(), Tag.MAP);
        descend(where);
        TreeBuilder.Fields fields = tree.new Fields(where);
        List<SourceNode> merges = new ArrayList<>();
        while (!parser.checkEvent(Event.ID.MappingEnd)) {
            Event key = parser.getEvent();
            Location keyAt = at(key);
            boolean merge = key instanceof ScalarEvent scalar && tag(scalar).equals(Tag.MERGE);
            String name = key(keyAt, key);
            SourceNode value = value(parser.getEvent());
            if (name == null) {
                tree.problem(keyAt, "a key must be a string");
            } else if (merge) {
                merges.add(value);
            } else {
                fields.put(keyAt, name, value);
            }
        }
        parser.getEvent();
        depth--;
        merges.forEach(merge -> merge(fields, merge));
        return fields.build();
    }

    /** Returns the text of a key; null if it is a list or a mapping. */
    private @Nullable String key(Location where, Event key) throws ProblemsException {
        if (key instanceof AliasEvent alias) {
            return shared(where, alias).key();
        }
        if (key instanceof ScalarEvent scalar) {
            if (scalar.getAnchor() != null) {
                anchors.put(scalar.getAnchor(), new Shared(scalar(where, scalar), scalar.getValue(), 1));
            }
            return scalar.getValue();
        }
        value(key);
        return null;
    }

    /** Applies a merge key ({@code <<}), which adds missing fields only; the first of several sources takes precedence. */
    private void merge(TreeBuilder.Fields fields, SourceNode source) {
        switch (source) {
            case Mapping mapping -> fields.putIfAbsent(mapping);
            case Sequence sequence
            when sequence.items().stream().allMatch(Mapping.class::isInstance) ->
                sequence.items().forEach(item -> merge(fields, item));
            case Sequence sequence -> refuseMerge(sequence);
            case Scalar scalar -> refuseMerge(scalar);
        }
    }

    private void refuseMerge(SourceNode source) {
        tree.problem(source.where(), "\"<<\" must be a mapping or a list of mappings, found " + source.describe());
    }

    private static Tag tag(ScalarEvent scalar) {
        if (!isUntagged(scalar.getTag())) {
            return new Tag(scalar.getTag());
        }
        return scalar.getImplicit().canOmitTagInPlainScalar() ? TYPES.plain(scalar.getValue()) : Tag.STR;
    }

    private static boolean isUntagged(@Nullable String tag) {
        return tag == null || tag.equals("!");
    }

    private SourceNode scalar(Location where, ScalarEvent event) {
        String text = event.getValue();
        Tag tag = tag(event);
        if (tag.equals(Tag.STR) || tag.equals(Tag.MERGE)) {
            return new Scalar(where, ScalarType.STRING, text);
        }
        if (isUntagged(event.getTag()) || TYPES.matches(tag, text)) {
            if (tag.equals(Tag.BOOL)) {
                return new Scalar(where, ScalarType.BOOLEAN, String.valueOf(ScalarTypes.isTrue(text)));
            }
            if (tag.equals(Tag.INT)) {
                return new Scalar(where, ScalarType.INTEGER, ScalarTypes.decimal(text));
            }
            return tag.equals(Tag.FLOAT) ? new Scalar(where, ScalarType.FLOAT, text) : nullScalar(where);
        }
        refuse(where, tag.getValue());
        return nullScalar(where);
    }

    private void refuseTag(Location where, @Nullable String tag, Tag expected) {
        if (tag != null && !isUntagged(tag) && !tag.equals(expected.getValue())) {
            refuse(where, tag);
        }
    }

    private void refuse(Location where, String tag) {
        tree.problem(where, "tag " + Quoted.of(tag) + " does not match the value");
    }

    private static Scalar nullScalar(Location where) {
        return new Scalar(where, ScalarType.NULL, "");
    }
}
