/**
 * OpenAPI documents, derived from the schemas of built-in types and the served types.
 *
 * <p>Clients use them for the schemas of objects ({@code kubectl explain}) and the query parameters of operations, especially {@code
 * fieldValidation}, by which they detect server-side validation. Does not depend on the HTTP server; may depend on {@code
 * io.plat.apiserver.type} and {@code io.plat.apiserver.discovery}.
 */
@NullMarked
package io.plat.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
