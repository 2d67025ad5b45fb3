package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.ProgramData;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rules of built-in types, compiled from the files beside this class. For any number of threads. */
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
            "defaults");
    private static final Map<String, Definition> DEFINITIONS = compile();

    private Rules() {}

    private static Map<String, Definition> compile() {
        List<RuleText.Line> lines = FILES.stream()
                .flatMap(file -> RuleText.read(ProgramData.text(Rules.class, file + ".rules")).stream())
                .toList();
        var definitions = new HashMap<String, Definition>();
        for (RuleText.Line line : lines) {
            for (String name : line.words()) {
                if (definitions.put(name, new Definition(name)) != null) {
                    throw new IllegalArgumentException("defined twice: " + name);
                }
            }
        }
        var compiler = new RuleCompiler(definitions);
        for (RuleText.Line line : lines) {
            Check rows = compiler.rows(line.below());
            line.words()
                    .forEach(name ->
                            Objects.requireNonNull(definitions.get(name)).rows(rows));
        }
        return Map.copyOf(definitions);
    }

    /** Compiles the rules, if they are not yet: a malformed one ends the program when it starts and not when it is needed. */
    public static void load() {
        // The class is initialized by then.
    }

    /**
     * Reports what is wrong with an object or a part of one.
     *
     * @param definition the resource that stores the type, or another definition; nothing is checked where there is none
     */
    public static void check(String definition, Field field) {
        Definition found = DEFINITIONS.get(definition);
        if (found != null) {
            found.check(field);
        }
    }

    /**
     * Fills in what the client omitted and other fields determine.
     *
     * @param type the resource that stores the object; nothing is filled in where it has no such rules
     * @param before the present state; null for a new object
     */
    public static void fill(String type, ObjectNode object, @Nullable ObjectNode before) {
        check("defaults/" + type, Field.of(object, before, new Causes()));
    }

    /** Reports what is wrong with labels that something has, or has to have. */
    public static void checkLabels(Field labels) {
        TextChecks.labels(labels);
    }
}
