/**
 * Options of requests: what a create, update, patch, deletion, list or watch asks for beside its object, checked as Kubernetes does.
 *
 * <p>May depend on {@code type} and what is below it.
 */
@NullMarked
package io.plat.apiserver.options;

import org.jspecify.annotations.NullMarked;
