package io.plat.tests.model.cases;

import java.util.List;

/**
 * A policy and what is asked of it.
 *
 * @param where file and line of the document
 * @param policy the policy's text
 * @param roles the text of the manifests of a second policy, where the document is about a union; else {@code ""}
 * @param superUser the super user, {@code ""} for none
 * @param cases requests with their decisions
 * @param problems every line of the report with which the policy is refused; empty for a policy that is accepted
 */
public record PolicyDocument(
        String where, String policy, String roles, String superUser, List<PolicyCase> cases, List<String> problems) {}
