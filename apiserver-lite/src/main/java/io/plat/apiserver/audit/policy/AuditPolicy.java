package io.plat.apiserver.audit.policy;

import io.plat.review.AccessAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules by which requests are recorded. For any number of threads. */
public final class AuditPolicy {
    private final List<PolicyRule> rules;

    AuditPolicy(List<PolicyRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * What is recorded of a request: what the first rule says that matches it, and nothing where none does.
     *
     * @param user who asks; null where that is not known
     */
    public Verdict judge(@Nullable UserInfo user, AccessAttributes access) {
        for (PolicyRule rule : rules) {
            if (rule.matches(user, access)) {
                return rule.verdict();
            }
        }
        return Verdict.NOTHING;
    }
}
