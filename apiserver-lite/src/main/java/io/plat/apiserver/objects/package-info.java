/**
 * Code for individual types: pods, services and their allocations, namespaces, roles, certificate signing requests, priorities, service
 * accounts. {@link io.plat.apiserver.objects.TypeRules} is the interface of defaults and validation of a type; types without code of their
 * own are described by data.
 *
 * <p>May depend on {@code selector}, {@code metadata}, {@code stored}, {@code allocation} and their dependencies. Independent of
 * operations.
 */
@NullMarked
package io.plat.apiserver.objects;

import org.jspecify.annotations.NullMarked;
