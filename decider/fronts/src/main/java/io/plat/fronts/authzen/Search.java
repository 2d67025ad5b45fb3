package io.plat.fronts.authzen;

import io.plat.engine.Decision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.authzen.EvaluationRequest.Part;
import io.plat.review.AccessAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A search in one state of the policy, and its result. Candidates are the names in the policy; results are the candidates whose evaluation is
 * true, so that searches and evaluations agree. Takes as long as that many decisions. Not thread-safe.
 */
final class Search {
    private static final String ANY = "*";
    private static final int TOO_LARGE = 413;

    private final Mapping mapping;
    private final PolicySet policy;
    private final EvaluationRequest evaluation;
    private final Explainer explainer;

    /** The ids of the entities. */
    final SortedSet<String> ids = new TreeSet<>();

    /** The namespaces with a grant that is not limited to names. */
    final SortedSet<String> namespaces = new TreeSet<>();

    /** The groups all of whose members are allowed. */
    final SortedSet<String> groups = new TreeSet<>();

    /** Reasons for missing results; empty if it is complete. */
    final SortedSet<String> gaps = new TreeSet<>();

    /** True if a grant is not limited to names. */
    boolean unbounded;

    private final long began = System.nanoTime();
    private final Duration time;

    private Search(Mapping mapping, PolicySet policy, EvaluationRequest evaluation, Duration time) {
        this.mapping = mapping;
        this.policy = policy;
        this.evaluation = evaluation;
        this.explainer = Explainer.of("the policy", policy.authorizer());
        this.time = time;
    }

    /**
     * Runs a search. Without results if a type is unknown.
     *
     * @param part the part of the evaluation whose ids are searched; its own id is ignored
     * @param time time limit
     * @throws StatusException if the evaluation is invalid, or the policy is not loaded
     */
    static Search of(Part part, EvaluationRequest evaluation, Mapping mapping, PolicySet policy, Duration time)
            throws StatusException {
        Search search = new Search(mapping, policy, evaluation, time);
        try {
            switch (part) {
                case SUBJECT -> search.subjects();
                case ACTION -> search.actions();
                case RESOURCE -> search.resources();
            }
            return search;
        } catch (StatusException unknown) {
            if (unknown.status().reason() == StatusReason.NOT_FOUND) {
                return new Search(mapping, policy, evaluation, time);
            }
            throw unknown;
        }
    }

    private void subjects() throws StatusException {
        AccessAttributes access = access(evaluation.with(Part.SUBJECT, ""));
        unbounded = allows(Part.SUBJECT, "");
        for (SubjectName subject : explainer.names().subjects()) {
            if (isOver()) {
                return;
            }
            String id = mapping.subjectId(evaluation, subject);
            if (id != null && allows(Part.SUBJECT, id)) {
                ids.add(id);
            }
            boolean group = subject.kind() == SubjectName.Kind.GROUP;
            if (group && id == null && !unbounded && access != null && allows(member(subject.name(), access))) {
                groups.add(subject.name());
            }
        }
    }

    private static Attributes member(String group, AccessAttributes access) {
        return new Attributes(new UserInfo("", List.of(group)).withImpliedGroup(), access);
    }

    private void actions() throws StatusException {
        Set<String> names = new TreeSet<>(mapping.actions(evaluation));
        String namespace = namespace(evaluation.with(Part.ACTION, ANY));
        RuleListing rules = rules(mapping.user(evaluation), namespace);
        rules.resources().items().forEach(rule -> names.addAll(rule.verbs()));
        rules.paths().items().forEach(rule -> names.addAll(rule.verbs()));
        unbounded = names.remove(ANY) && allows(Part.ACTION, ANY);
        for (String name : names) {
            if (allows(Part.ACTION, name)) {
                ids.add(name);
            }
        }
    }

    private void resources() throws StatusException {
        UserInfo user = mapping.user(evaluation);
        String only = namespace(evaluation.with(Part.RESOURCE, ""));
        PolicyNames names = explainer.names();
        RuleListing everywhere = rules(user, "");
        Set<ResourceRule> known = new HashSet<>();
        named(everywhere, only, known);
        unbounded = allows(Part.RESOURCE, mapping.resourceId(evaluation, only, ""));
        for (String namespace : only.isEmpty() ? names.namespaces() : List.of(only)) {
            if (isOver()) {
                break;
            }
            if (!unbounded && allows(Part.RESOURCE, mapping.resourceId(evaluation, namespace, ""))) {
                namespaces.add(namespace);
            }
            named(rules(user, namespace), namespace, known);
        }
        unbounded |= !namespaces.isEmpty();
        for (PathRule rule : everywhere.paths().items()) {
            for (String path : rule.paths()) {
                path(path, rule);
            }
        }
    }

    /** Adds the names that rules allow, apart from rules that apply everywhere. */
    private void named(RuleListing rules, String namespace, Set<ResourceRule> everywhere) throws StatusException {
        boolean first = everywhere.isEmpty();
        for (ResourceRule rule : rules.resources().items()) {
            if (!first && everywhere.contains(rule)) {
                continue;
            }
            for (String name : rule.resourceNames()) {
                if (isOver()) {
                    return;
                }
                String id = mapping.resourceId(evaluation, namespace, name);
                if (allows(
                        Part.RESOURCE,
                        id,
                        access -> access instanceof ResourceAttributes resource && covers(rule, resource))) {
                    ids.add(id);
                }
            }
        }
        if (first) {
            everywhere.addAll(rules.resources().items());
        }
    }

    private void path(String path, PathRule rule) throws StatusException {
        String id = mapping.resourceId(evaluation, "", path);
        if (allows(
                Part.RESOURCE,
                id,
                access -> access instanceof NonResourceAttributes on
                        && on.path().equals(path)
                        && covers(rule.verbs(), on.verb()))) {
            if (path.endsWith(ANY)) {
                unbounded = true;
            } else {
                ids.add(id);
            }
        }
    }

    /** Returns whether a rule names the object of an access. */
    private static boolean covers(ResourceRule rule, ResourceAttributes access) {
        String subresource = access.subresource();
        String group = ApiGroups.canonical(access.group());
        return covers(rule.verbs(), access.verb())
                && rule.apiGroups().stream()
                        .anyMatch(one ->
                                one.equals(ANY) || ApiGroups.canonical(one).equals(group))
                && (covers(rule.resources(), access.written())
                        || (!subresource.isEmpty() && rule.resources().contains(ANY + "/" + subresource)))
                && rule.resourceNames().contains(access.name());
    }

    private static boolean covers(List<String> values, String value) {
        return values.contains(value) || values.contains(ANY);
    }

    private RuleListing rules(UserInfo user, String namespace) {
        RuleListing rules = explainer.rules(user, namespace);
        if (rules.incomplete()) {
            gaps.add(rules.error());
        }
        return rules;
    }

    private boolean allows(Part part, String id) throws StatusException {
        return allows(part, id, access -> true);
    }

    private String namespace(EvaluationRequest of) {
        return access(of) instanceof ResourceAttributes resource ? resource.namespace() : "";
    }

    /** Returns the access of an evaluation; null if it has none. */
    private @Nullable AccessAttributes access(EvaluationRequest of) {
        try {
            return mapping.access(of);
        } catch (StatusException meaningless) {
            requireTime(meaningless);
            return null;
        }
    }

    /** Records incomplete results if the mapping exceeded its budget; other failures mean that there is no result. */
    private void requireTime(StatusException failure) {
        if (failure.status().code() == TOO_LARGE) {
            gaps.add(failure.status().message());
        }
    }

    /** Returns whether an evaluation is true; an invalid one is not. */
    private boolean allows(Part part, String id, Predicate<AccessAttributes> matching) throws StatusException {
        if (isOver()) {
            return false;
        }
        Attributes attributes;
        try {
            attributes = mapping.attributes(evaluation.with(part, id));
        } catch (StatusException meaningless) {
            requireTime(meaningless);
            return false;
        }
        return matching.test(attributes.access()) && allows(attributes);
    }

    /** Returns whether the time limit is exceeded, and records that. */
    private boolean isOver() {
        boolean over = System.nanoTime() - began > time.toNanos();
        if (over) {
            gaps.add("the search took more than " + time.toSeconds() + " s");
        }
        return over;
    }

    private boolean allows(Attributes attributes) throws StatusException {
        Decision decision = policy.authorizer().decideFromMemory(attributes);
        if (decision == null) {
            gaps.add("an authorizer of the policy cannot be enumerated");
        } else if (decision instanceof Decision.Undecided undecided) {
            if (undecided.cause() == Decision.Cause.NOT_LOADED) {
                throw new StatusException(DecisionResponse.failure(undecided, false));
            }
            gaps.add(undecided.reason());
        }
        return decision instanceof Decision.Allow;
    }
}
