package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.ProgramData;
import io.plat.engine.lookup.Frozen;
import io.plat.review.status.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Validation rules of built-in types, compiled from the files next to this class. Thread-safe. */
public final class Rules {
    private static final List<String> FILES = List.of(
            "meta",
            "core",
            "pod",
            "volume",
            "service",
            "apps",
            "batch",
            "autoscaling",
            "networking",
            "storage",
            "admissionregistration",
            "resource",
            "apiextensions",
            "status",
            "warnings",
            "unenforced",
            "defaults");
    private static final String DEFAULTS = "defaults/";
    private static final Map<String, RuleCompiler.Definition> DEFINITIONS = compile();

    /** Reason of a cause that is a warning. */
    static final String WARNING = "Warning";

    private Rules() {}

    private static Map<String, RuleCompiler.Definition> compile() {
        List<RuleText.Line> lines = read();
        var definitions = new HashMap<String, RuleCompiler.Definition>();
        for (RuleText.Line line : lines) {
            for (String name : line.words()) {
                if (definitions.put(name, new RuleCompiler.Definition(name)) != null) {
                    throw new IllegalArgumentException("defined twice: " + name);
                }
            }
        }
        var compiler = new RuleCompiler(definitions);
        for (RuleText.Line line : lines) {
            Check rows = compiler.rows(line.below());
            boolean ofMetadata = line.words().getFirst().startsWith(DEFAULTS) || ofMetadata(line);
            line.words()
                    .forEach(name ->
                            Objects.requireNonNull(definitions.get(name)).rows(rows, ofMetadata));
        }
        return Frozen.copyOf(definitions);
    }

    private static List<RuleText.Line> read() {
        return FILES.stream()
                .flatMap(file -> RuleText.read(ProgramData.text(Rules.class, file + ".rules")).stream())
                .toList();
    }

    private static boolean ofMetadata(RuleText.Line line) {
        return line.below().stream()
                .anyMatch(row -> row.words().stream().anyMatch(word -> word.startsWith("metadata")) || ofMetadata(row));
    }

    /** Compiles the rules, if that was not done yet, so that a malformed rule fails at startup. */
    public static void load() {
        // Initializes the class.
    }

    /**
     * Validates an object or a part of one. An object of which nothing but metadata has changed was valid when it was stored, and is not
     * validated again unless the rows read metadata.
     *
     * @param definition resource of the type, or another definition; nothing is checked if it does not exist
     */
    public static void check(String definition, Field field) {
        RuleCompiler.Definition compiled = DEFINITIONS.get(definition);
        if (compiled != null) {
            compiled.check(field);
        }
    }

    /**
     * Sets omitted fields that other fields determine.
     *
     * @param type resource of the type; nothing is set without such rules
     * @param before current state; null for a new object
     */
    public static void fill(String type, ObjectNode object, @Nullable ObjectNode before) {
        RuleCompiler.Definition defaults = DEFINITIONS.get(DEFAULTS + type);
        if (defaults != null) {
            defaults.check(Field.of(object, before, new Causes()));
        }
    }

    /**
     * Returns the warnings about a valid object: those of the definition {@code warnings/TYPE}, or those of {@code warnings/new/TYPE} that
     * do not apply to its previous state.
     */
    public static List<String> warnings(String type, ObjectNode object, @Nullable ObjectNode before) {
        RuleCompiler.@Nullable Definition novel = DEFINITIONS.get("warnings/new/" + type);
        if (novel != null) {
            List<String> found = new ArrayList<>(warnings(novel, () -> object, null));
            found.removeAll(before == null ? List.of() : warnings(novel, () -> before, null));
            return found;
        }
        return warnings(DEFINITIONS.get("warnings/" + type), () -> object, before);
    }

    /**
     * Returns the warnings about an object that kube-apiserver itself would enforce and this server only stores, those of the definition
     * {@code unenforced/TYPE}.
     *
     * @param object returns the object; not called for other types
     */
    public static List<String> unenforced(String type, Supplier<? extends JsonNode> object) {
        return warnings(DEFINITIONS.get("unenforced/" + type), object, null);
    }

    private static List<String> warnings(
            RuleCompiler.@Nullable Definition rows, Supplier<? extends JsonNode> object, @Nullable ObjectNode before) {
        return rows == null
                ? List.of()
                : Causes.of(causes -> rows.check(Field.of(object.get(), before, causes))).stream()
                        .filter(cause -> cause.reason().equals(WARNING))
                        .map(Status.Cause::message)
                        .toList();
    }

    /** Validates labels or a label selector's matching labels. */
    public static void checkLabels(Field labels) {
        TextChecks.labels(labels);
    }
}
