package io.plat.fronts.check;

/**
 * Common settings of the protocols for proxies.
 *
 * @param identity the source of the user's identity
 * @param paths the form of attributes
 * @param answer the header fields of an answer that allows
 */
public record CheckSettings(IdentitySource identity, ProxiedRequest.PathForm paths, AnswerFields answer) {}
