package io.plat.tests.model.cases;

import java.util.List;

/**
 * A policy and its cases.
 *
 * @param where file and line of the document
 * @param policy text of the policy
 * @param roles manifests of a second policy in a union; else {@code ""}
 * @param superUser the super user, {@code ""} for none
 * @param cases requests with their decisions
 * @param problems all lines of the report that refuses the policy; empty for a valid policy
 */
public record PolicyDocument(
        String where, String policy, String roles, String superUser, List<PolicyCase> cases, List<String> problems) {}
