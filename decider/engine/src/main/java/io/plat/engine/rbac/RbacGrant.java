package io.plat.engine.rbac;

import io.plat.engine.Grant;
import io.plat.review.json.JsonText;
import io.plat.review.source.Location;

/**
 * A rule that allows a request, and the binding that grants it to the user.
 *
 * @param binding the binding of the role; may lack its subjects
 * @param role the role with the rule, possibly aggregated
 * @param matched the matching rule
 */
public record RbacGrant(RbacBinding binding, RbacSubject subject, RbacRole role, RbacRule matched) implements Grant {
    public static final String MODE = "RBAC";

    /** Maximum length of a rule in a reason, in characters; a reason is sent with every response. */
    private static final int MAX_RULE = 1000;

    /** Usual length of a reason, in characters. */
    private static final int TYPICAL_REASON_LENGTH = 320;

    @Override
    public String authorizer() {
        return MODE;
    }

    /** Returns the location of the binding, as the rule applies to the user only through it. */
    @Override
    public String source() {
        return binding.source();
    }

    @Override
    public String rule() {
        return matched.toString();
    }

    /** Returns Kubernetes' reason, followed by the rule and its location. */
    @Override
    public String reason() {
        // Every response has a reason.
        StringBuilder reason = new StringBuilder(TYPICAL_REASON_LENGTH);
        reason.append("RBAC: allowed by ").append(binding.key().kind().kind()).append(' ');
        JsonText.quote(withNamespace(binding.key().name(), binding.key().namespace()), reason);
        reason.append(" of ").append(role.key().kind().kind()).append(' ');
        JsonText.quote(role.key().name(), reason);
        reason.append(" to ").append(subject.kind()).append(' ');
        JsonText.quote(subjectName(), reason);
        reason.append(" by rule ");
        int rule = reason.length();
        matched.appendTo(reason);
        if (reason.length() - rule > MAX_RULE) {
            reason.setLength(rule + MAX_RULE);
            reason.append('…');
        }
        Location location = matched.where();
        return reason.append(" of ")
                .append(location == null ? role.source() : location.toString())
                .toString();
    }

    @Override
    public String maskedReason() {
        StringBuilder reason = new StringBuilder("RBAC: allowed by ");
        reason.append(binding.key().kind().kind()).append(' ');
        JsonText.quote(binding.key().name(), reason);
        reason.append(" of ").append(role.key().kind().kind()).append(' ');
        JsonText.quote(role.key().name(), reason);
        return reason.toString();
    }

    private String subjectName() {
        return subject.kind().equals(RbacSubject.SERVICE_ACCOUNT)
                ? withNamespace(
                        subject.name(),
                        subject.namespace().isEmpty() ? binding.key().namespace() : subject.namespace())
                : subject.name();
    }

    private static String withNamespace(String name, String namespace) {
        return namespace.isEmpty() ? name : name + "/" + namespace;
    }
}
