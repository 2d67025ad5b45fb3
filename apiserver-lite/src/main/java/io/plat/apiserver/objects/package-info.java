/**
 * Everything that is code for single types: pods, services and the allocation of their addresses, namespaces, roles, certificate requests,
 * priorities, service accounts. {@link io.plat.apiserver.objects.TypeRules} is the interface behind which defaults and validation
 * of a type stand; types without code of their own are described by data.
 *
 * <p>May depend on {@code selector}, {@code metadata}, {@code stored}, {@code allocation} and what is below them. Knows no operation.
 */
@NullMarked
package io.plat.apiserver.objects;

import org.jspecify.annotations.NullMarked;
