package io.plat.apiserver.audit.policy;

import io.plat.review.AccessAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Audit policy rules. Thread-safe. */
public record AuditPolicy(List<PolicyRule> rules) {
    /**
     * Returns the configuration of the first rule that matches a request; nothing is recorded if none does.
     *
     * @param user the user; null if unknown
     */
    public RequestAuditConfig auditConfig(@Nullable UserInfo user, AccessAttributes access) {
        for (PolicyRule rule : rules) {
            if (rule.matches(user, access)) {
                return rule.auditConfig();
            }
        }
        return RequestAuditConfig.NOTHING;
    }
}
