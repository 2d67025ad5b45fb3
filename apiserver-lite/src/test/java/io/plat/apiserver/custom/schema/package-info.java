/** Tests of {@code io.plat.apiserver.custom.schema}. */
@NullMarked
package io.plat.apiserver.custom.schema;

import org.jspecify.annotations.NullMarked;
