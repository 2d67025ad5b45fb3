package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.expression.PolicyProgram;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stored policy. Its expressions are compiled on the first request to which a binding applies it. Thread-safe. */
final class CompiledPolicy {
    private final ResourceType type;
    private final Entry entry;
    private final ResourceMatch match;
    private final JsonNode paramKind;
    private @Nullable PolicyProgram program;

    CompiledPolicy(ResourceType type, Entry entry) throws StatusException {
        this.type = type;
        this.entry = entry;
        JsonNode spec = spec();
        this.match = new ResourceMatch(
                spec.path("matchConstraints"),
                "ValidatingAdmissionPolicy '" + entry.key().name() + "'");
        this.paramKind = spec.path("paramKind");
    }

    private JsonNode spec() throws StatusException {
        return ServedObject.of(type, entry).tree().path("spec");
    }

    String name() {
        return entry.key().name();
    }

    ResourceMatch match() {
        return match;
    }

    /** Returns the kind of its parameters; a missing node for none. */
    JsonNode paramKind() {
        return paramKind;
    }

    synchronized PolicyProgram program() throws StatusException {
        if (program == null) {
            program = new PolicyProgram(spec());
        }
        return program;
    }

    /**
     * Stored binding of a policy.
     *
     * @param match the requests to which it limits the policy
     * @param paramRef the parameters; a missing node for none
     * @param actions consequences of a failed validation
     */
    record Binding(String name, String policy, ResourceMatch match, JsonNode paramRef, List<String> actions) {
        static Binding of(JsonNode binding) throws StatusException {
            JsonNode spec = binding.path("spec");
            String name = binding.path("metadata").path("name").asText();
            return new Binding(
                    name,
                    spec.path("policyName").asText(),
                    new ResourceMatch(spec.path("matchResources"), "ValidatingAdmissionPolicyBinding '" + name + "'"),
                    spec.path("paramRef"),
                    Json.texts(spec.path("validationActions")));
        }
    }
}
