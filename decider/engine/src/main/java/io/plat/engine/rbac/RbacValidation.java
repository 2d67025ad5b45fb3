package io.plat.engine.rbac;

import io.plat.engine.rbac.FieldProblem.Reason;
import io.plat.review.ApiGroups;
import io.plat.review.NameRule;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Validation of role objects with Kubernetes' rules: required fields, exclusive fields, known kinds. Used for objects from files and from clients.
 */
public final class RbacValidation {
    private final List<FieldProblem> problems = new ArrayList<>();

    private RbacValidation() {}

    /** Returns all problems of an object, in the order of its fields; empty if it is valid. */
    public static List<FieldProblem> problemsOf(RbacObject object) {
        RbacValidation validation = new RbacValidation();
        validation.key(object.key());
        switch (object) {
            case RbacRole role -> validation.role(role);
            case RbacBinding binding -> validation.binding(binding);
        }
        return List.copyOf(validation.problems);
    }

    private void key(ObjectKey key) {
        name("metadata.name", key.name());
        if (key.kind().namespaced()) {
            name("metadata.namespace", key.namespace());
        } else if (!key.namespace().isEmpty()) {
            invalid("metadata.namespace", key.namespace(), "a " + key.kind().kind() + " has no namespace");
        }
    }

    /** Validates a name, which may have any characters that are valid in a path segment. */
    private void name(String field, String name) {
        if (name.isEmpty()) {
            required(
                    field,
                    switch (field) {
                        case "metadata.namespace" -> "a namespace is needed";
                        case "metadata.name" -> "name is required";
                        default -> "";
                    });
        } else if (name.equals(".") || name.equals("..")) {
            invalid(field, name, "may not be '" + name + "'");
        } else if (name.indexOf('/') >= 0 || name.indexOf('%') >= 0) {
            invalid(field, name, "may not contain '" + (name.indexOf('/') >= 0 ? '/' : '%') + "'");
        }
    }

    private void role(RbacRole role) {
        boolean namespaced = role.key().kind().namespaced();
        for (int i = 0; i < role.rules().size(); i++) {
            rule("rules[" + i + "]", role.rules().get(i), namespaced);
        }
        List<ClusterRoleSelector> aggregation = role.aggregation();
        if (aggregation != null) {
            aggregation(aggregation, namespaced);
        }
    }

    private void rule(String field, RbacRule rule, boolean namespaced) {
        if (rule.verbs().isEmpty()) {
            required(field + ".verbs", "verbs must contain at least one value");
        }
        if (!rule.nonResourceUrls().isEmpty()) {
            String urls = field + ".nonResourceURLs";
            String written =
                    "[" + rule.nonResourceUrls().stream().map(Quoted::of).collect(Collectors.joining(",")) + "]";
            if (namespaced) {
                invalidLiteral(urls, written, "namespaced rules cannot apply to non-resource URLs");
            }
            if (!rule.apiGroups().isEmpty()
                    || !rule.resources().isEmpty()
                    || !rule.resourceNames().isEmpty()) {
                invalidLiteral(urls, written, "rules cannot apply to both regular resources and non-resource URLs");
            }
            return;
        }
        if (rule.apiGroups().isEmpty()) {
            required(field + ".apiGroups", "resource rules must supply at least one api group");
        }
        if (rule.resources().isEmpty()) {
            required(field + ".resources", "resource rules must supply at least one resource");
        }
    }

    private void aggregation(List<ClusterRoleSelector> selectors, boolean namespaced) {
        if (namespaced) {
            invalid("aggregationRule", "", "only a ClusterRole can aggregate");
        }
        if (selectors.isEmpty()) {
            required(
                    "aggregationRule.clusterRoleSelectors",
                    "at least one clusterRoleSelector required if aggregationRule is non-nil");
        }
        for (int i = 0; i < selectors.size(); i++) {
            String field = "aggregationRule.clusterRoleSelectors[" + i + "]";
            List<ClusterRoleSelector.Requirement> requirements =
                    selectors.get(i).matchExpressions();
            int before = problems.size();
            for (int j = 0; j < requirements.size(); j++) {
                requirement(field + ".matchExpressions[" + j + "]", requirements.get(j));
            }
            if (problems.size() > before) {
                invalidLiteral(field, "null", "invalid label selector.");
            }
        }
    }

    private void requirement(String field, ClusterRoleSelector.Requirement requirement) {
        switch (requirement.operator()) {
            case "In", "NotIn" -> {
                if (requirement.values().isEmpty()) {
                    required(field + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!requirement.values().isEmpty()) {
                    problems.add(new FieldProblem(
                            field + ".values",
                            Reason.FORBIDDEN,
                            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
                }
            }
            default -> invalid(field + ".operator", requirement.operator(), "not a valid selector operator");
        }
        NameRule.qualifiedName(requirement.key())
                .forEach(problem -> invalid(field + ".key", requirement.key(), problem));
        for (int i = 0; i < requirement.values().size(); i++) {
            String place = field + ".values[" + i + "]";
            String value = requirement.values().get(i);
            NameRule.LABEL_VALUE.problems(value).forEach(problem -> invalid(place, value, problem));
        }
    }

    private void binding(RbacBinding binding) {
        boolean namespaced = binding.key().kind().namespaced();
        roleRef(binding.roleRef(), namespaced);
        for (int i = 0; i < binding.subjects().size(); i++) {
            subject("subjects[" + i + "]", binding.subjects().get(i), namespaced);
        }
    }

    private void subject(String field, RbacSubject subject, boolean namespaced) {
        if (subject.name().isEmpty()) {
            required(field + ".name", "");
        }
        switch (subject.kind()) {
            case RbacSubject.SERVICE_ACCOUNT -> serviceAccount(field, subject, namespaced);
            case RbacSubject.USER, RbacSubject.GROUP -> rbacGroup(field + ".apiGroup", subject.apiGroup());
            default -> notSupported(field + ".kind", subject.kind(), "\"ServiceAccount\", \"User\", \"Group\"");
        }
    }

    private void serviceAccount(String field, RbacSubject subject, boolean namespaced) {
        // A namespace or name that is invalid in a user name could denote another account.
        for (String part : List.of("name", "namespace")) {
            String value = part.equals("name") ? subject.name() : subject.namespace();
            if (value.indexOf(':') >= 0 || value.indexOf('/') >= 0) {
                invalid(field + "." + part, value, "a service account's " + part + " holds neither ':' nor '/'");
            }
        }
        if (!subject.apiGroup().isEmpty()) {
            notSupported(field + ".apiGroup", subject.apiGroup(), "\"\"");
        }
        if (!namespaced && subject.namespace().isEmpty()) {
            required(field + ".namespace", "");
        }
    }

    private void roleRef(RoleRef roleRef, boolean namespaced) {
        rbacGroup("roleRef.apiGroup", roleRef.apiGroup());
        String kinds = namespaced ? "\"Role\", \"ClusterRole\"" : "\"ClusterRole\"";
        boolean clusterRole = roleRef.kind().equals(RbacKind.CLUSTER_ROLE.kind());
        if (!clusterRole && !(namespaced && roleRef.kind().equals(RbacKind.ROLE.kind()))) {
            notSupported("roleRef.kind", roleRef.kind(), kinds);
        }
        if (clusterRole && !roleRef.namespace().isEmpty()) {
            invalid("roleRef.namespace", roleRef.namespace(), "a ClusterRole has no namespace");
        }
        name("roleRef.name", roleRef.name());
    }

    private void rbacGroup(String field, String group) {
        if (!group.isEmpty() && !ApiGroups.isRbac(group)) {
            notSupported(field, group, "\"" + ApiGroups.RBAC + "\"");
        }
    }

    private void required(String field, String detail) {
        problems.add(new FieldProblem(field, Reason.REQUIRED, detail));
    }

    private void invalid(String field, String value, String detail) {
        invalidLiteral(field, Quoted.of(value), detail);
    }

    private void invalidLiteral(String field, String value, String detail) {
        problems.add(new FieldProblem(field, Reason.INVALID, value + ": " + detail));
    }

    private void notSupported(String field, String value, String expected) {
        problems.add(
                new FieldProblem(field, Reason.NOT_SUPPORTED, Quoted.of(value) + ": supported values: " + expected));
    }
}
