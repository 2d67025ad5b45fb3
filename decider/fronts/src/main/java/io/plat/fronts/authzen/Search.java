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
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One search in one state of the policy. Candidates are the names in the policy; results are the candidates whose evaluation is true, so that
 * searches and evaluations agree. Takes as long as that many decisions. Not thread-safe.
 */
final class Search {
    private static final String ANY = "*";
    private static final int TOO_LARGE = 413;

    private final Mapping mapping;
    private final PolicySet policy;
    private final EvaluationRequest evaluation;
    private final Explainer explainer;
    private final SearchResult result = new SearchResult();
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
     * Runs a search.
     *
     * @param part the part of the evaluation whose ids are searched; its own id is ignored
     * @param time time limit
     * @throws StatusException if the evaluation is invalid, or the policy is not loaded
     */
    static SearchResult of(Part part, EvaluationRequest evaluation, Mapping mapping, PolicySet policy, Duration time)
            throws StatusException {
        Search search = new Search(mapping, policy, evaluation, time);
        switch (part) {
            case SUBJECT -> search.subjects();
            case ACTION -> search.actions();
            case RESOURCE -> search.resources();
        }
        return search.result;
    }

    private void subjects() throws StatusException {
        AccessAttributes access = access(evaluation.with(Part.SUBJECT, ""));
        result.unbounded = allows(Part.SUBJECT, "");
        for (SubjectName subject : explainer.names().subjects()) {
            if (isOver()) {
                return;
            }
            String id = mapping.subjectId(evaluation, subject);
            if (id != null && allows(Part.SUBJECT, id)) {
                result.ids.add(id);
            }
            boolean group = subject.kind() == SubjectName.Kind.GROUP;
            if (group && id == null && !result.unbounded && access != null && allows(member(subject.name(), access))) {
                result.groups.add(subject.name());
            }
        }
    }

    private static Attributes member(String group, AccessAttributes access) {
        return new Attributes(DefaultMapping.authenticated("", List.of(group)), access);
    }

    private void actions() throws StatusException {
        Set<String> names = new TreeSet<>(mapping.actions(evaluation));
        String namespace = namespace(evaluation.with(Part.ACTION, ANY));
        RuleListing rules = rules(mapping.user(evaluation), namespace);
        rules.resources().items().forEach(rule -> names.addAll(rule.verbs()));
        rules.paths().items().forEach(rule -> names.addAll(rule.verbs()));
        result.unbounded = names.remove(ANY) && allows(Part.ACTION, ANY);
        for (String name : names) {
            if (allows(Part.ACTION, name)) {
                result.ids.add(name);
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
        result.unbounded = allows(Part.RESOURCE, mapping.resourceId(evaluation, only, ""));
        for (String namespace : only.isEmpty() ? names.namespaces() : List.of(only)) {
            if (isOver()) {
                break;
            }
            if (!result.unbounded && allows(Part.RESOURCE, mapping.resourceId(evaluation, namespace, ""))) {
                result.namespaces.add(namespace);
            }
            named(rules(user, namespace), namespace, known);
        }
        result.unbounded |= !result.namespaces.isEmpty();
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
                    result.ids.add(id);
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
                result.unbounded = true;
            } else {
                result.ids.add(id);
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
            result.gaps.add(rules.error());
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
            result.gaps.add(failure.status().message());
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
            result.gaps.add("the search took more than " + time.toSeconds() + " s");
        }
        return over;
    }

    private boolean allows(Attributes attributes) throws StatusException {
        Decision decision = policy.authorizer().decideFromMemory(attributes);
        if (decision == null) {
            result.gaps.add("an authorizer of the policy cannot be enumerated");
        } else if (decision instanceof Decision.Undecided undecided) {
            if (undecided.cause() == Decision.Cause.NOT_LOADED) {
                throw new StatusException(DecisionResponse.failure(undecided, false));
            }
            result.gaps.add(undecided.reason());
        }
        return decision instanceof Decision.Allow;
    }
}
