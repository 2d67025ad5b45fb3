/**
 * Options of requests: create, update, patch, delete, list and watch options, validated as in Kubernetes.
 *
 * <p>May depend on {@code type} and what is below it.
 */
@NullMarked
package io.plat.apiserver.options;

import org.jspecify.annotations.NullMarked;
