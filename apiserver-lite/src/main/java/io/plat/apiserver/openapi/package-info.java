/**
 * The OpenAPI v3 documents, derived from the schemas of the built-in types and from what is served.
 *
 * <p>Clients take from them how objects look ({@code kubectl explain}) and which query parameters a type's operations have,
 * {@code fieldValidation} above all: with it the server validates, without it they refuse to. Knows no HTTP server; may depend
 * on {@code io.plat.apiserver.type} and {@code io.plat.apiserver.discovery}.
 */
@NullMarked
package io.plat.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
