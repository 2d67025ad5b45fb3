package io.plat.cli.policytest;

import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.request.KnownVerbs;
import io.plat.cli.request.ResourceTypes;
import io.plat.cli.request.Subjects;
import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.NearestName;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names that a policy and its tests know. A case that expects a denial would also pass with a misspelled name, so unknown names
 * are reported.
 */
final class KnownNames {
    private static final int EDITS = 2;
    private static final Set<String> NAMESPACES_OF_CLUSTERS =
            Set.of("default", "kube-system", "kube-public", "kube-node-lease");

    private final ResourceTypes types;
    private final Set<String> verbs = new HashSet<>();
    private final Set<String> resources = new HashSet<>();
    private final Set<String> users = new HashSet<>();
    private final Set<String> namespaces = new HashSet<>(NAMESPACES_OF_CLUSTERS);

    private KnownNames(ResourceTypes types) {
        this.types = types;
    }

    /**
     * Returns the names in a policy.
     *
     * @param authorizer decides by it
     */
    static KnownNames of(PolicyDocuments policy, Authorizer authorizer) {
        KnownNames known = new KnownNames(ResourceTypes.builtIn());
        PolicyNames names = Explainer.of("the policy", authorizer).names();
        known.namespaces.addAll(names.namespaces());
        names.subjects().stream()
                .filter(subject -> Set.of(SubjectName.Kind.USER, SubjectName.Kind.SERVICE_ACCOUNT)
                        .contains(subject.kind()))
                .map(Subjects::userName)
                .forEach(known.users::add);
        if (policy.lines() != null) {
            policy.lines().lines().stream().map(AbacLine::resource).forEach(known::addResource);
        }
        if (policy.roles() != null) {
            for (RbacRole role : policy.roles().roles()) {
                for (RbacRule rule : role.rules()) {
                    known.verbs.addAll(rule.verbs());
                    rule.resources().forEach(known::addResource);
                }
            }
        }
        return known;
    }

    private void addResource(String resource) {
        resources.add(ResourceAttributes.resourceOf(resource));
    }

    /** Returns these names and those that a test declares. */
    KnownNames with(TestFileReader.TestFile.Declared declared) {
        KnownNames all = new KnownNames(types);
        all.verbs.addAll(verbs);
        all.resources.addAll(resources);
        declared.resources().forEach(all::addResource);
        all.users.addAll(users);
        all.users.addAll(declared.users());
        all.namespaces.addAll(namespaces);
        all.namespaces.addAll(declared.namespaces());
        return all;
    }

    /**
     * The unknown names of a case.
     *
     * @param errors why it fails: an unknown verb or resource, or a name much like a known one; one line each
     * @param warnings other unknown names
     */
    record UnknownNames(List<String> errors, List<String> warnings) {}

    UnknownNames in(TestFileReader.TestFile.Case one) {
        List<String> errors = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        AccessAttributes access = one.request().access();
        if (!verbs.contains(access.verb())) {
            errors.addAll(KnownVerbs.problem(access));
        }
        if (access instanceof ResourceAttributes requested) {
            if (!resources.contains(requested.resource())) {
                errors.addAll(types.problem(requested));
            }
            check("namespace", requested.namespace(), namespaces, errors, warnings);
        }
        check("user", one.request().user().name(), users, errors, warnings);
        return new UnknownNames(errors, warnings);
    }

    private static void check(
            String what, String name, Collection<String> known, List<String> errors, List<String> warnings) {
        if (name.isEmpty() || known.contains(name) || name.startsWith("system:")) {
            return;
        }
        String nowhere = what + " " + Quoted.of(name) + " is named neither by the policy nor in " + what + "s:";
        Optional<String> intended = NearestName.within(EDITS, name, known);
        if (intended.isPresent()) {
            errors.add(nowhere + ", did you mean " + Quoted.of(intended.get()) + "?");
        } else {
            warnings.add(nowhere);
        }
    }
}
