package io.plat.review.explain;

/**
 * A member of the authorizer whose grants are unknown, at least in part.
 *
 * @param authorizer its name
 * @param reason the reason, in one line
 */
public record UnexplainedAuthorizer(String authorizer, String reason) {}
