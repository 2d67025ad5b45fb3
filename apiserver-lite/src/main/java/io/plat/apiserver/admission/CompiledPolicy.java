package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.expression.PolicyProgram;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.storage.Entry;
import io.plat.review.status.StatusException;
import java.util.List;

/**
 * Compiled form of a stored policy.
 *
 * @param entry the policy as it is stored
 * @param match requests to which the policy applies
 * @param paramKind kind of its parameters; a missing node for none
 * @param program its expressions
 */
record CompiledPolicy(Entry entry, ResourceMatch match, JsonNode paramKind, PolicyProgram program) {
    static CompiledPolicy of(Entry entry, JsonNode policy) throws StatusException {
        JsonNode spec = policy.path("spec");
        return new CompiledPolicy(
                entry,
                new ResourceMatch(
                        spec.path("matchConstraints"),
                        "ValidatingAdmissionPolicy '" + entry.key().name() + "'"),
                spec.path("paramKind"),
                new PolicyProgram(spec));
    }

    String name() {
        return entry.key().name();
    }

    /**
     * Stored binding of a policy.
     *
     * @param policy the name of the policy
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
                    TypeSchema.texts(spec.path("validationActions")));
        }
    }
}
