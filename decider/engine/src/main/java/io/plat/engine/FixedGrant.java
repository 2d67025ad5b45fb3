package io.plat.engine;

/**
 * A grant with constant texts, for access that no policy object grants, such as membership in a privileged group.
 *
 * @param authorizer the authorizer's name
 * @param source the source of the grant, for example a flag
 * @param rule the granted access
 * @param reason the reason given with the decision
 */
public record FixedGrant(String authorizer, String source, String rule, String reason) implements Grant {
    /** Returns an Allow with constant texts, for access that no policy object grants. */
    public static Decision.Allow allow(String authorizer, String source, String reason) {
        return new Decision.Allow(new FixedGrant(authorizer, source, "everything", reason));
    }
}
