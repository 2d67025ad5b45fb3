package io.plat.engine.rbac.manifest;

import io.plat.engine.lookup.Interner;
import io.plat.engine.rbac.ClusterRoleSelector;
import io.plat.engine.rbac.FieldProblem;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RbacValidation;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one role object, of a file or a server. Unknown fields are problems, except in metadata, where servers and tools add fields: one in a
 * rule, a subject or a reference could narrow what the others grant.
 *
 * @param fields the object; without a file name the result has no location
 * @param earlierForm whether the specification's first version is read, whose subjects and references have two forms
 * @param interned shares equal strings
 * @param problems receives the problems
 */
public record ObjectReader(SourceFields fields, boolean earlierForm, Interner interned, List<Problem> problems) {
    private static final Pattern STEP = Pattern.compile("(\\w+)|\\[(\\d+)]");

    /** Reads the object; empty if it has a problem. */
    public Optional<RbacObject> read(SourceNode node, RbacKind kind) {
        int before = problems.size();
        SourceFields metadata = fields.requiredMapping("metadata");
        ObjectKey key = new ObjectKey(
                kind, interned.string(metadata.string("namespace")), interned.string(metadata.string("name")));
        RbacObject object = kind.isRole() ? role(key, strings(metadata, "labels")) : binding(key);
        fields.ignore("apiVersion", "kind");
        fields.rejectUnknown();
        boolean wellFormed = problems.size() == before;
        for (FieldProblem problem : RbacValidation.problemsOf(object)) {
            // Unreadable fields seem to be missing; they are reported once.
            if (wellFormed || !problem.isOfMissing()) {
                problems.add(
                        new Problem(locationOf(node, problem.field()), problem.field() + ": " + problem.message()));
            }
        }
        return problems.size() == before ? Optional.of(object) : Optional.empty();
    }

    private Map<String, String> strings(SourceFields parent, String field) {
        SourceFields values = parent.mapping(field);
        Map<String, String> strings = new TreeMap<>();
        if (parent.node(field) instanceof SourceNode.Mapping mapping) {
            for (SourceNode.Mapping.Field entry : mapping.entries()) {
                strings.put(interned.string(entry.key()), interned.string(values.string(entry.key())));
            }
        }
        return strings;
    }

    private RbacRole role(ObjectKey key, Map<String, String> labels) {
        List<RbacRule> rules = new ArrayList<>();
        List<SourceNode> nodes = fields.list("rules");
        for (int i = 0; i < nodes.size(); i++) {
            rules.add(rule(nodes.get(i), "rules[" + i + "]"));
        }
        List<ClusterRoleSelector> aggregation = fields.has("aggregationRule") ? aggregation() : null;
        fields.ignore("aggregationRule");
        return new RbacRole(key, labels, rules, aggregation, where(fields));
    }

    private RbacRule rule(SourceNode node, String path) {
        SourceFields rule = SourceFields.of(node, path, problems);
        rule.refuseNull("resourceNames", "null would lift the limit to names; leave the field out to mean that");
        RbacRule read = new RbacRule(
                interned.list(rule.strings("verbs")),
                interned.list(rule.strings("apiGroups")),
                interned.list(rule.strings("resources")),
                interned.list(rule.strings("resourceNames")),
                interned.list(rule.strings("nonResourceURLs")),
                where(rule));
        rule.rejectUnknown();
        return read;
    }

    private List<ClusterRoleSelector> aggregation() {
        SourceFields rule = fields.mapping("aggregationRule");
        List<ClusterRoleSelector> selectors = new ArrayList<>();
        for (SourceFields selector : rule.mappings("clusterRoleSelectors")) {
            List<ClusterRoleSelector.Requirement> requirements = new ArrayList<>();
            for (SourceFields requirement : selector.mappings("matchExpressions")) {
                requirements.add(new ClusterRoleSelector.Requirement(
                        requirement.string("key"), requirement.string("operator"), requirement.strings("values")));
                requirement.rejectUnknown();
            }
            selectors.add(new ClusterRoleSelector(strings(selector, "matchLabels"), requirements));
            selector.rejectUnknown();
        }
        rule.rejectUnknown();
        return selectors;
    }

    private RbacBinding binding(ObjectKey key) {
        List<RbacSubject> subjects = new ArrayList<>();
        for (SourceFields subject : fields.mappings("subjects")) {
            subjects.add(subject(subject));
        }
        return new RbacBinding(key, subjects, roleRef(fields.requiredMapping("roleRef")), where(fields));
    }

    private RbacSubject subject(SourceFields subject) {
        String kind = interned.string(subject.string("kind"));
        String apiGroup = interned.string(subject.string("apiGroup"));
        String namespace = interned.string(subject.string("namespace"));
        String name = interned.string(subject.string("name"));
        if (earlierForm) {
            subject.string("apiVersion");
        }
        subject.rejectUnknown();
        RbacSubject read = new RbacSubject(kind, apiGroup, namespace, name);
        return earlierForm ? read.fromV1alpha1() : read;
    }

    private RoleRef roleRef(SourceFields reference) {
        String kind = interned.string(reference.string("kind"));
        String name = interned.string(reference.string("name"));
        String apiGroup = interned.string(reference.string("apiGroup"));
        String namespace = "";
        if (earlierForm) {
            namespace = interned.string(reference.string("namespace"));
            String apiVersion = reference.string("apiVersion");
            if (!apiVersion.isEmpty() && !apiGroup.isEmpty()) {
                reference.problem("apiVersion", "cannot be combined with apiGroup");
            } else if (!apiVersion.isEmpty()) {
                apiGroup = interned.string(RoleRef.groupOf(apiVersion));
            }
        }
        reference.rejectUnknown();
        return new RoleRef(apiGroup, kind, namespace, name);
    }

    private static @Nullable Location where(SourceFields fields) {
        return fields.where().file().isEmpty() ? null : fields.where();
    }

    /** Returns the location of the field, or of the nearest parent that exists. */
    private static Location locationOf(SourceNode root, String path) {
        SourceNode at = root;
        Matcher step = STEP.matcher(path);
        while (step.find()) {
            SourceNode next = next(at, step.group(1), step.group(2));
            if (next == null) {
                break;
            }
            at = next;
        }
        return at.where();
    }

    private static @Nullable SourceNode next(SourceNode at, @Nullable String field, @Nullable String index) {
        if (field != null) {
            return at instanceof SourceNode.Mapping mapping ? mapping.get(field) : null;
        }
        int position = index == null ? -1 : Integer.parseInt(index);
        return at instanceof SourceNode.Sequence sequence
                        && position < sequence.items().size()
                ? sequence.items().get(position)
                : null;
    }
}
