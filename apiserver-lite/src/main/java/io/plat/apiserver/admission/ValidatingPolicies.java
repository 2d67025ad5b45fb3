package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.admission.CompiledPolicy.Binding;
import io.plat.apiserver.expression.TypeChecker;
import io.plat.apiserver.resource.AdmissionCheck;
import io.plat.apiserver.resource.AdmissionRequest;
import io.plat.apiserver.resource.FurtherTypes;
import io.plat.apiserver.resource.ResourceCatalog;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.ServedObject;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.engine.Authorizer;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The policies and bindings of a store. A write costs one look-up in memory where there are no bindings; else the compiled policies are
 * used again for as long as the stored ones are the same. For any number of threads.
 */
public final class ValidatingPolicies implements AdmissionCheck {
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final String POLICIES = "validatingadmissionpolicies";
    private static final String BINDINGS = "validatingadmissionpolicybindings";

    /** A policy must not keep anybody from mending it. */
    private static final Set<String> EXEMPT =
            Set.of(POLICIES, BINDINGS, "mutatingadmissionpolicies", "mutatingadmissionpolicybindings");

    private final ServedVersions versions;
    private final Authorizer authorizer;
    private final ResourceType policyType;
    private final ResourceType bindingType;
    private final KeyRange bindingRange;
    private volatile Compiled compiled = new Compiled(List.of(), List.of(), List.of(), List.of());

    /**
     * Policies on some types.
     *
     * @param authorizer decides the checks of the variable {@code authorizer}
     */
    public ValidatingPolicies(ResourceCatalog catalog, FurtherTypes further, Authorizer authorizer) {
        this.versions = new ServedVersions(catalog, further);
        this.authorizer = authorizer;
        this.policyType = catalog.find(GROUP, "v1", POLICIES).orElseThrow();
        this.bindingType = catalog.find(GROUP, "v1", BINDINGS).orElseThrow();
        this.bindingRange = KeyRange.of(bindingType.storage());
    }

    /** Stored policies and bindings, and their compiled forms. */
    private record Compiled(
            List<Entry> policyEntries,
            List<Entry> bindingEntries,
            List<CompiledPolicy> policies,
            List<Binding> bindings) {
        boolean is(List<Entry> policiesNow, List<Entry> bindingsNow) {
            return same(policyEntries, policiesNow) && same(bindingEntries, bindingsNow);
        }

        private static boolean same(List<Entry> before, List<Entry> now) {
            if (before.size() != now.size()) {
                return false;
            }
            for (int i = 0; i < now.size(); i++) {
                if (before.get(i).value() != now.get(i).value()) {
                    return false;
                }
            }
            return true;
        }
    }

    @Override
    public boolean applies(Snapshot snapshot) throws StorageException {
        return !snapshot.page(bindingRange, "", 1).entries().isEmpty();
    }

    @Override
    public void admit(AdmissionRequest request, Snapshot snapshot) throws StatusException, StorageException {
        if (isExempt(request.resource())) {
            return;
        }
        List<Entry> bindings = snapshot.page(bindingRange, "", 0).entries();
        List<Entry> policies =
                snapshot.page(KeyRange.of(policyType.storage()), "", 0).entries();
        Compiled now = compiled;
        if (!now.is(policies, bindings)) {
            now = compile(policies, bindings);
        }
        var evaluation = new PolicyEvaluation(request, snapshot, versions, authorizer);
        for (CompiledPolicy policy : now.policies()) {
            evaluation.evaluate(
                    policy,
                    now.bindings().stream()
                            .filter(binding -> binding.policy().equals(policy.name()))
                            .toList());
        }
        evaluation.conclude();
    }

    private static boolean isExempt(ResourceType type) {
        return type.group().equals(GROUP) && EXEMPT.contains(type.resource());
    }

    private synchronized Compiled compile(List<Entry> policies, List<Entry> bindings) throws StatusException {
        Compiled before = compiled;
        if (before.is(policies, bindings)) {
            return before;
        }
        var programs = new ArrayList<CompiledPolicy>();
        for (Entry entry : policies) {
            var known = before.policies().stream()
                    .filter(policy -> policy.entry().value() == entry.value())
                    .findFirst();
            programs.add(
                    known.isPresent()
                            ? known.get()
                            : CompiledPolicy.of(
                                    entry, ServedObject.of(policyType, entry).tree()));
        }
        var scopes = new ArrayList<Binding>();
        for (Entry entry : bindings) {
            scopes.add(Binding.of(ServedObject.of(bindingType, entry).tree()));
        }
        compiled = new Compiled(policies, bindings, List.copyOf(programs), List.copyOf(scopes));
        return compiled;
    }

    /** Type checks a policy: what is found is reported in its status and changes nothing about its effect. */
    @Override
    public void report(ResourceType type, ObjectNode object) {
        if (!type.storage().equals(policyType.storage())) {
            return;
        }
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.set("observedGeneration", object.path("metadata").path("generation"));
        ArrayNode warnings = JsonNodeFactory.instance.arrayNode();
        for (TypeChecker.Warning warning :
                MatchedTypes.of(object.path("spec"), versions).check()) {
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
}
