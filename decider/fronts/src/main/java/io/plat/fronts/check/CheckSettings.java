package io.plat.fronts.check;

/**
 * Settings that all fronts for proxies share.
 *
 * @param identity the only source of a user's identity
 * @param paths the form of attributes
 * @param answer the header fields of an answer that allows
 */
public record CheckSettings(IdentitySource identity, ProxiedRequest.PathForm paths, AnswerFields answer) {}
