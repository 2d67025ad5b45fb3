package io.plat.review.source;

import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.ScalarType;
import io.plat.review.source.SourceNode.Sequence;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Reads YAML into a tree. Only the composer of the library is used, which builds nodes and no objects.
 *
 * <p>An alias shares the value that it names, so memory is bounded by the file. Whoever walks the tree meets a shared value as
 * often as it is named, so values are counted that way, and a value that contains itself is refused.
 */
final class YamlTree {
    private static final int MAX_ALIASES = 100;

    private final TreeBuilder tree;
    private final IdentityHashMap<Node, Shared> done = new IdentityHashMap<>();
    /** How many values the walk has met since the document began, aliases repeated. */
    private long met;

    private YamlTree(TreeBuilder tree) {
        this.tree = tree;
    }

    /** A value that is built, and how many values it holds; null while it is being built. */
    private record Shared(@Nullable SourceNode value, long size) {}

    static List<SourceNode> readAll(String file, String text) throws ProblemsException {
        TreeBuilder tree = new TreeBuilder(file);
        List<SourceNode> documents = new ArrayList<>();
        try {
            Composer composer = composer(text);
            while (composer.checkNode()) {
                Node root = composer.getNode();
                if (documents.size() == SourceReader.MAX_DOCUMENTS) {
                    throw new ProblemsException(
                            new Problem(tree.at(line(root)), "more than " + SourceReader.MAX_DOCUMENTS + " documents"));
                }
                documents.add(new YamlTree(tree).value(root));
            }
        } catch (YAMLException e) {
            tree.problem(tree.at(line(e, text)), "not valid YAML: " + message(e));
        }
        tree.finish();
        return documents;
    }

    private static Composer composer(String text) {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(SourceReader.MAX_BYTES);
        limits.setNestingDepthLimit(SourceReader.MAX_DEPTH);
        limits.setMaxAliasesForCollections(MAX_ALIASES);
        limits.setAllowRecursiveKeys(false);
        // Tags are refused where the tree is built, all of them at once; the composer would stop at the first.
        limits.setTagInspector(tag -> true);
        return new Composer(new ParserImpl(new StreamReader(text), limits), new PlainScalars(), limits);
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
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
        String message = e instanceof MarkedYAMLException marked && marked.getProblem() != null
                ? marked.getProblem()
                : String.valueOf(e.getMessage());
        if (e instanceof ReaderException) {
            message = "special characters are not allowed";
        } else if (message.startsWith("Nesting Depth exceeded")) {
            message = "nested deeper than " + SourceReader.MAX_DEPTH;
        } else if (message.startsWith("Number of aliases")) {
            message = "more than " + MAX_ALIASES + " aliases";
        }
        return Quoted.oneLine(message);
    }

    private SourceNode value(Node node) throws ProblemsException {
        Location where = tree.at(line(node));
        Shared known = done.get(node);
        if (known != null) {
            return again(where, known);
        }
        done.put(node, new Shared(null, 0));
        long before = met;
        meet(where, 1);
        SourceNode value = switch (node) {
            case ScalarNode scalar -> scalar(where, scalar);
            case SequenceNode sequence -> sequence(where, sequence);
            case MappingNode mapping -> mapping(where, mapping);
            default -> throw new IllegalStateException("unresolved " + node.getNodeId());
        };
        done.put(node, new Shared(value, met - before));
        return value;
    }

    private SourceNode again(Location where, Shared known) throws ProblemsException {
        if (known.value() == null) {
            tree.problem(where, "a value can't contain itself");
            return nothing(where);
        }
        meet(where, known.size());
        return known.value();
    }

    private void meet(Location where, long more) throws ProblemsException {
        met += more;
        tree.count(where, more);
    }

    private SourceNode sequence(Location where, SequenceNode node) throws ProblemsException {
        refuseTag(where, node, Tag.SEQ);
        List<SourceNode> items = new ArrayList<>(node.getValue().size());
        for (Node item : node.getValue()) {
            items.add(value(item));
        }
        return new Sequence(where, items);
    }

    private SourceNode mapping(Location where, MappingNode node) throws ProblemsException {
        refuseTag(where, node, Tag.MAP);
        TreeBuilder.Fields fields = tree.new Fields(where);
        List<SourceNode> merges = new ArrayList<>();
        for (NodeTuple field : node.getValue()) {
            Location keyAt = tree.at(line(field.getKeyNode()));
            if (!(field.getKeyNode() instanceof ScalarNode key)) {
                tree.problem(keyAt, "a key must be a string");
            } else if (key.getTag().equals(Tag.MERGE)) {
                merges.add(value(field.getValueNode()));
            } else {
                fields.put(keyAt, key.getValue(), value(field.getValueNode()));
            }
        }
        merges.forEach(merge -> merge(fields, merge));
        return fields.build();
    }

    /** A merge key ({@code <<}) fills in what the mapping does not say itself; of several sources the earlier one wins. */
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

    private SourceNode scalar(Location where, ScalarNode node) {
        String text = node.getValue();
        Tag tag = node.getTag();
        if (tag.equals(Tag.STR) || tag.equals(Tag.MERGE)) {
            return new Scalar(where, ScalarType.STRING, text);
        }
        if (tag.equals(Tag.NULL) && PlainScalars.isNothing(text)) {
            return nothing(where);
        }
        if (tag.equals(Tag.BOOL) && (PlainScalars.isTrue(text) || PlainScalars.isFalse(text))) {
            return new Scalar(where, ScalarType.BOOLEAN, String.valueOf(PlainScalars.isTrue(text)));
        }
        if (tag.equals(Tag.INT) && PlainScalars.isWhole(text)) {
            return new Scalar(where, ScalarType.INTEGER, PlainScalars.decimal(text));
        }
        if (tag.equals(Tag.FLOAT) && PlainScalars.isNumber(text)) {
            return new Scalar(where, ScalarType.FLOAT, text);
        }
        tree.problem(where, "tag " + Quoted.of(tag.getValue()) + " does not go with the value");
        return nothing(where);
    }

    private void refuseTag(Location where, Node node, Tag expected) {
        if (!node.getTag().equals(expected)) {
            tree.problem(where, "tag " + Quoted.of(node.getTag().getValue()) + " does not go with the value");
        }
    }

    private static Scalar nothing(Location where) {
        return new Scalar(where, ScalarType.NULL, "");
    }
}
