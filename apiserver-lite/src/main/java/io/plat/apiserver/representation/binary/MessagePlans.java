package io.plat.apiserver.representation.binary;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The plans of all messages, each compiled when it is first asked for. Safe for use by many threads. */
final class MessagePlans {
    private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.";

    /** The kinds that belong to every group and version, whether or not the schemas list it. */
    private static final Set<String> UNIVERSAL = Set.of("DeleteOptions", "WatchEvent");

    private final Descriptions descriptions;
    private final PlanCompiler compiler;
    private final Map<String, MessagePlan> plans = new ConcurrentHashMap<>();

    MessagePlans(Descriptions descriptions) {
        this.descriptions = descriptions;
        this.compiler = new PlanCompiler(descriptions, this);
    }

    /** The plan of a type's message; empty where the type has no binary form. */
    Optional<MessagePlan> find(TypeMeta type) {
        String message = descriptions.kinds().get(type);
        if (message == null
                && UNIVERSAL.contains(type.kind())
                && !type.apiVersion().isEmpty()) {
            message = META + type.kind();
        }
        return Optional.ofNullable(message).map(this::plan);
    }

    /** The types that have a binary form. */
    Set<TypeMeta> types() {
        return descriptions.kinds().keySet();
    }

    /** The plan of a message that the tables describe. */
    MessagePlan plan(String message) {
        MessagePlan known = plans.get(message);
        return known != null ? known : plans.computeIfAbsent(message, compiler::compile);
    }
}
