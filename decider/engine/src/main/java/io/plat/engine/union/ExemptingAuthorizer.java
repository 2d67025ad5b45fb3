package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.DelegatingExplainer;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.MergedFindings;
import io.plat.engine.explain.RuleCollector;
import io.plat.engine.explain.SubjectCollector;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An authorizer that allows exempt requests by a fixed grant, and delegates all others. */
public interface ExemptingAuthorizer extends Authorizer, DelegatingExplainer, CompositeAuthorizer {
    /** Returns the authorizer that decides all other requests. */
    Authorizer others();

    /** Returns the decision on exempt requests. */
    Decision.Allow exemption();

    /** Returns whether a request is exempt. */
    boolean isExempt(Attributes attributes);

    /** Returns the subject whose requests for an access are exempt; null if there is none. */
    @Nullable
    SubjectName exemptSubject(AccessAttributes access);

    /** Adds the rules of a user's exempt requests. */
    void addRules(UserInfo user, RuleCollector rules);

    @Override
    default List<Member> parts() {
        return List.of(new Member("the authorizer", others()));
    }

    @Override
    default Decision authorize(Attributes attributes) {
        return isExempt(attributes) ? exemption() : others().authorize(attributes);
    }

    @Override
    default @Nullable Decision decideFromMemory(Attributes attributes) {
        return isExempt(attributes) ? exemption() : others().decideFromMemory(attributes);
    }

    @Override
    default Explainer explainer() {
        return Explainer.of("the authorizer", others());
    }

    @Override
    default ExplainedDecision explain(Attributes attributes) {
        ExplainedDecision byOthers = explainer().explain(attributes);
        if (!isExempt(attributes)) {
            return byOthers;
        }
        MergedFindings merged = new MergedFindings();
        merged.add(ExplainedDecision.of(exemption()).findings());
        merged.add(byOthers.findings());
        return merged.with(exemption());
    }

    @Override
    default SubjectListing subjects(AccessAttributes access) {
        SubjectListing byOthers = explainer().subjects(access);
        SubjectName exempt = exemptSubject(access);
        if (exempt == null) {
            return byOthers;
        }
        SubjectCollector subjects = new SubjectCollector();
        subjects.add(exempt, exemption().grant().named());
        subjects.addAll(byOthers);
        return subjects.listing();
    }

    @Override
    default RuleListing rules(UserInfo user, String namespace) {
        RuleCollector rules = new RuleCollector();
        addRules(user, rules);
        rules.addAll(explainer().rules(user, namespace));
        return rules.listing();
    }
}
