// No validator, since it would send the document to another host. Operations are collapsed, as there are thousands.
window.ui = SwaggerUIBundle({
  url: '/openapi/v2',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  deepLinking: true,
  filter: true,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
});
