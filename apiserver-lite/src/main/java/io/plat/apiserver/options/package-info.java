/**
 * Options of requests: create, update, patch, delete, list and watch options, validated as in Kubernetes.
 *
 * <p>May depend on {@code type} and its dependencies.
 */
@NullMarked
package io.plat.apiserver.options;

import org.jspecify.annotations.NullMarked;
