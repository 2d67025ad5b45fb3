package io.plat.engine.abac;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.explain.RuleCollector;
import io.plat.engine.explain.ScannedGrants;
import io.plat.engine.explain.SubjectCollector;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The ABAC mode: allows requests that match a line of the policy file, and has no opinion on others. Explanations and listings scan every line.
 */
public final class AbacAuthorizer implements Authorizer, Explainer {
    public static final String MODE = "ABAC";

    private static final Decision.NoOpinion NO_MATCH = new Decision.NoOpinion("No policy matched.");
    private static final List<String> READING = List.of("get", "list", "watch");
    private static final List<String> ANY = List.of(AbacLine.ANY);

    private final AbacIndex index;

    public AbacAuthorizer(AbacIndex index) {
        this.index = index;
    }

    public AbacPolicy policy() {
        return new AbacPolicy(index.lines());
    }

    @Override
    public Decision authorize(Attributes attributes) {
        Decision.Allow allow = index.firstAllow(attributes);
        return allow == null ? NO_MATCH : allow;
    }

    @Override
    public Decision decideFromMemory(Attributes attributes) {
        return authorize(attributes);
    }

    @Override
    public ExplainedDecision explain(Attributes attributes) {
        List<Decision.Allow> allows = index.allows();
        LineMismatches gaps = new LineMismatches(attributes.access());
        ScannedGrants<Integer> scanned = new ScannedGrants<>(
                Comparator.<Integer>naturalOrder(),
                position -> allows.get(position).grant().named());
        for (int position = 0; position < allows.size(); position++) {
            AbacLine line = AbacIndex.lineOf(allows.get(position));
            int ofAccess = gaps.ofAccess(line);
            if (ofAccess != LineMismatches.OTHER_KIND) {
                scanned.add(ofAccess | LineMismatches.ofUser(line, attributes.user()), position);
            }
        }
        return scanned.explained(authorize(attributes), List.of(), () -> LineSuggestion.of(attributes), List.of());
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        SubjectCollector subjects = new SubjectCollector();
        LineMismatches gaps = new LineMismatches(access);
        for (Decision.Allow allow : index.allows()) {
            AbacLine line = AbacIndex.lineOf(allow);
            SubjectName subject = line.subject();
            if (subject != null && gaps.ofAccess(line) == 0) {
                subjects.add(subject, allow.grant().named());
            }
        }
        return subjects.listing();
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        RuleCollector rules = new RuleCollector();
        for (AbacLine line : index.lines()) {
            if (LineMismatches.ofUser(line, user) == 0) {
                add(line, namespace, rules);
            }
        }
        return rules.listing();
    }

    private static void add(AbacLine line, String namespace, RuleCollector rules) {
        List<String> verbs = line.readonly() ? READING : ANY;
        boolean here = line.namespace().equals(AbacLine.ANY) || line.namespace().equals(namespace);
        if (here && line.coversResources()) {
            rules.add(new ResourceRule(verbs, List.of(line.apiGroup()), resources(line.resource()), List.of()));
        }
        if (!line.nonResourcePath().isEmpty()) {
            rules.add(new PathRule(verbs, List.of(line.nonResourcePath())));
        }
    }

    /** Returns the resource patterns; a line covers all subresources of its resource. */
    private static List<String> resources(String resource) {
        return resource.equals(AbacLine.ANY) ? ANY : List.of(resource, resource + "/*");
    }

    @Override
    public PolicyNames names() {
        SortedSet<SubjectName> subjects = new TreeSet<>();
        SortedSet<String> namespaces = new TreeSet<>();
        for (AbacLine line : index.lines()) {
            SubjectName subject = line.subject();
            if (subject != null) {
                subjects.add(subject);
                namespaces.add(line.namespace());
            }
        }
        namespaces.removeAll(List.of("", AbacLine.ANY));
        return new PolicyNames(subjects, namespaces);
    }

    @Override
    public SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        List<LineMismatches> gaps = any.stream().map(LineMismatches::new).toList();
        SortedSet<SubjectName> holders = new TreeSet<>();
        for (AbacLine line : index.lines()) {
            SubjectName subject = line.subject();
            if (subject != null && gaps.stream().anyMatch(one -> one.ofAccess(line) == 0)) {
                holders.add(subject);
            }
        }
        return holders;
    }
}
