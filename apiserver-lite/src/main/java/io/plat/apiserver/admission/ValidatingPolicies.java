package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.admission.CompiledPolicy.Binding;
import io.plat.apiserver.expression.TypeChecker;
import io.plat.apiserver.operations.AdmissionCheck;
import io.plat.apiserver.operations.AdmissionRequest;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.AllTypes;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.engine.Authorizer;
import io.plat.review.status.StatusException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Validating admission policies and bindings of a store. A write without bindings costs one in-memory lookup; otherwise compiled
 * policies are reused until the stored objects change. Thread-safe.
 */
public final class ValidatingPolicies implements AdmissionCheck {
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final String POLICIES = "validatingadmissionpolicies";
    private static final String BINDINGS = "validatingadmissionpolicybindings";

    /** Resources exempt from policies, so that no policy can block its own correction. */
    private static final Set<String> EXEMPT =
            Set.of(POLICIES, BINDINGS, "mutatingadmissionpolicies", "mutatingadmissionpolicybindings");

    /** Maximum size of all policies together. Compiled, they take about 60 times as much: a quarter of the heap. */
    private static final long MAX_BYTES = Runtime.getRuntime().maxMemory() / 4 / 60;

    /** Maximum number of types against which the expressions of a policy are checked. */
    private static final int MAX_TYPES = 10;

    private final AllTypes types;
    private final Authorizer authorizer;
    private final ResourceType policyType;
    private final ResourceType bindingType;
    private final KeyRange bindingRange;
    private final CompiledEntries<CompiledPolicy> policies;
    private final CompiledEntries<Binding> bindings;

    /** @param authorizer decides the checks of the variable {@code authorizer} */
    public ValidatingPolicies(ResourceCatalog catalog, DynamicTypes dynamicTypes, Authorizer authorizer) {
        this.types = new AllTypes(catalog, dynamicTypes);
        this.authorizer = authorizer;
        this.policyType = catalog.find(GROUP, "v1", POLICIES).orElseThrow();
        this.bindingType = catalog.find(GROUP, "v1", BINDINGS).orElseThrow();
        this.bindingRange = KeyRange.of(bindingType.storage());
        this.policies = new CompiledEntries<>(entry -> new CompiledPolicy(policyType, entry));
        this.bindings = new CompiledEntries<>(
                entry -> Binding.of(ServedObject.of(bindingType, entry).tree()));
    }

    /** Cache of the compiled forms of stored objects, valid until the objects change. */
    private static final class CompiledEntries<T> {
        private final Compiler<T> compiler;
        private volatile IdentityHashMap<Object, T> byValue = new IdentityHashMap<>();

        CompiledEntries(Compiler<T> compiler) {
            this.compiler = compiler;
        }

        interface Compiler<T> {
            T compile(Entry entry) throws StatusException;
        }

        List<T> of(List<Entry> entries) throws StatusException {
            IdentityHashMap<Object, T> known = byValue;
            boolean same = known.size() == entries.size();
            for (int i = 0; same && i < entries.size(); i++) {
                same = known.containsKey(entries.get(i).value());
            }
            IdentityHashMap<Object, T> now = same ? known : compile(entries);
            return entries.stream()
                    .map(entry -> Objects.requireNonNull(now.get(entry.value())))
                    .toList();
        }

        private synchronized IdentityHashMap<Object, T> compile(List<Entry> entries) throws StatusException {
            IdentityHashMap<Object, T> now = new IdentityHashMap<>();
            for (Entry entry : entries) {
                @Nullable T known = byValue.get(entry.value());
                now.put(entry.value(), known == null ? compiler.compile(entry) : known);
            }
            byValue = now;
            return now;
        }
    }

    @Override
    public boolean applies(Snapshot snapshot) {
        return !snapshot.page(bindingRange, "", 1).entries().isEmpty();
    }

    @Override
    public void admit(AdmissionRequest request, Snapshot snapshot) throws StatusException {
        ResourceType requested = request.resource();
        if (requested.group().equals(GROUP) && EXEMPT.contains(requested.resource())) {
            return;
        }
        KeyRange stored = KeyRange.of(policyType.storage());
        List<CompiledPolicy> all = policies.of(snapshot.page(stored, "", 0).entries());
        List<Binding> bound = bindings.of(snapshot.page(bindingRange, "", 0).entries());
        var evaluation = new PolicyEvaluation(request, snapshot, types, authorizer);
        for (CompiledPolicy policy : all) {
            evaluation.evaluate(
                    policy,
                    bound.stream()
                            .filter(binding -> binding.policy().equals(policy.name()))
                            .toList());
        }
        evaluation.conclude();
    }

    /** Rejects a policy for which there is no memory; one that does not grow is always accepted. */
    private void requireRoom(ObjectNode policy, Snapshot snapshot) throws StatusException {
        String name = policy.path("metadata").path("name").asText("");
        long size = StoredForm.encodeWithinBounds(policy).length;
        long all = size;
        for (Entry entry :
                snapshot.page(KeyRange.of(policyType.storage()), "", 0).entries()) {
            long other = entry.value().length;
            if (!entry.key().name().equals(name)) {
                all += other;
            } else if (other >= size) {
                return;
            }
        }
        if (all > MAX_BYTES) {
            throw ApiErrors.invalid(
                    policyType,
                    name,
                    causes -> causes.field("spec", "")
                            .forbidden("the policies of this server would be larger than " + (MAX_BYTES >> 10)
                                    + " KiB, the limit for its heap"));
        }
    }

    /** Type checks a policy. Warnings are reported in its status and do not change its effect. */
    @Override
    public void report(ResourceType type, ObjectNode object, Snapshot snapshot) throws StatusException {
        if (!type.storage().equals(policyType.storage())) {
            return;
        }
        requireRoom(object, snapshot);
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.set("observedGeneration", object.path("metadata").path("generation"));
        ArrayNode warnings = JsonNodeFactory.instance.arrayNode();
        for (TypeChecker.Warning warning : typeChecker(object.path("spec")).check()) {
            warnings.addObject().put("fieldRef", warning.field()).put("warning", warning.text());
        }
        ObjectNode checking = status.putObject("typeChecking");
        if (!warnings.isEmpty()) {
            checking.set("expressionWarnings", warnings);
        }
        if (object.path("status").has("conditions")) {
            status.set("conditions", object.path("status").path("conditions"));
        }
        object.set("status", status);
    }

    /** Returns a type checker for a policy's expressions, for the types that it names without wildcards or subresources. */
    private TypeChecker typeChecker(JsonNode spec) {
        Map<String, TypeSchema> checked = new TreeMap<>();
        for (JsonNode rule : spec.path("matchConstraints").path("resourceRules")) {
            for (String group : plain(rule.path("apiGroups"))) {
                for (String version : plain(rule.path("apiVersions"))) {
                    List<String> resources = plain(rule.path("resources"));
                    types.of(group, version)
                            .filter(type -> resources.contains(type.resource()) && checked.size() < MAX_TYPES)
                            .forEach(type -> checked.put(type.apiVersion() + ", Kind=" + type.kind(), schema(type)));
                }
            }
        }
        JsonNode kind = spec.path("paramKind");
        TypeSchema params = types.ofKind(
                        kind.path("apiVersion").asText(""), kind.path("kind").asText(""))
                .map(ValidatingPolicies::schema)
                .orElse(null);
        return new TypeChecker(spec, checked, params);
    }

    private static List<String> plain(JsonNode list) {
        return Json.texts(list).stream()
                .filter(text -> text.indexOf('*') < 0 && text.indexOf('/') < 0)
                .toList();
    }

    private static TypeSchema schema(ResourceType type) {
        return type.form() != null && type.isCustom() ? type.form().structure() : type.schema();
    }
}
